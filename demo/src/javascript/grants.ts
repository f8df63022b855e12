/**
 * Programs and the user's own tools may call the page's tools, because those also reach only the workspace. Web search is the exception: it
 * counts as a change and is denied if no one can be asked.
 */
export const GRANTS = { tools: true }
