/**
 * Programs and tools of one's own may call the tools of the page: they reach nothing but the workspace either, but for those that search the
 * web, which are asked about then like what may change something.
 */
export const GRANTS = { tools: true }
