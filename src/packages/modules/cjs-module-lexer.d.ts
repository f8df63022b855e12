// The types of `#cjs-module-lexer`.
/** Names that a CommonJS module exports, as far as static analysis finds them. @throws {Error} for invalid source text */
export declare function parse(source: string): { readonly exports: Set<string>; readonly reexports: Set<string> }
