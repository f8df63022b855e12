// The types of `#quickjs-guest`: what scripts/vendor-quickjs.mjs writes.

/** Evaluates to the function that makes a program's world. */
export declare const core: string
/** Node's modules, and parts of them (`internal/...`): bodies of functions. */
export declare const modules: Readonly<Record<string, string>>
/** The names that a program may import. */
export declare const names: readonly string[]
