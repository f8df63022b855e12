import { visibleName } from '../../ops/visible-name.js'

/** Returns the end of the description of a custom tool. It tells the model and the user which file the tool comes from. */
export const originNote = (path: string): string => `\n\nThis tool comes from ${visibleName(path)} in the workspace.`

/** Returns the end that `originNote` has added to a description. Returns '' for a tool that is not custom. */
export const originNoteOf = (description: string): string =>
  /\n\nThis tool comes from [^\n]+ in the workspace\.$/.exec(description)?.[0] ?? ''
