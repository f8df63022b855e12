// Types of `#quickjs-guest`, which scripts/vendor-quickjs.mjs generates.

/** Source of an expression whose value is the function that creates a program's environment (`guest/core.cjs`). */
export declare const core: string
/** Node's modules and their parts (`internal/...`), as function bodies. */
export declare const modules: Readonly<Record<string, string>>
/** The names that a program may import. */
export declare const names: readonly string[]
