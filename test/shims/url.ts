/** What memfs imports from `url`. */
export const URL: typeof globalThis.URL = globalThis.URL
