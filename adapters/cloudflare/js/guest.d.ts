// The guest environment, made by scripts/vendor-worker-loader.mjs.
/** Source of the main module. */
export const boot: string
/** Node's modules that the Workers runtime has itself. */
export const natives: readonly string[]
/** What each of the others hands on by name. */
export const names: Readonly<Record<string, readonly string[]>>
