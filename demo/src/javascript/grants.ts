/** Programs and tools of one's own may call the tools of the page: they reach nothing but the workspace either. */
export const GRANTS = { tools: true }
