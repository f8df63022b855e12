/** Ends the description of a tool from the workspace, so that model and person see where the tool comes from. */
export const originNote = (path: string): string => `\n\nThis tool comes from ${path} in the workspace.`

/** Returns the note at the end of a description; empty for a tool that does not come from the workspace. */
export const originNoteOf = (description: string): string =>
  /\n\nThis tool comes from [^\n]+ in the workspace\.$/.exec(description)?.[0] ?? ''
