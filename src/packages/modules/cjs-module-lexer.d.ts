// The types of `#cjs-module-lexer`.
/** Names that a CommonJS module exports, as far as its text tells. @throws {Error} for a text that is none */
export declare function parse(source: string): { readonly exports: Set<string>; readonly reexports: Set<string> }
