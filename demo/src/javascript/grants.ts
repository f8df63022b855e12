/**
 * Programs and tools of one's own may call the tools of the page: they reach nothing but the workspace either, but for those that search the
 * web: these wait for approval then, and where nobody is asked they are denied.
 */
export const GRANTS = { tools: true }
