/**
 * Programs and tools of one's own may call the tools of the page: they reach nothing but the workspace either, but for those that search the
 * web: these are treated as what may change something, and denied where nobody is asked.
 */
export const GRANTS = { tools: true }
