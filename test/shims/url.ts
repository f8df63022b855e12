/** The only export of Node's `url` that memfs uses. */
export const URL: typeof globalThis.URL = globalThis.URL
