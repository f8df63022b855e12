/** A text of somebody else on one line: nothing of it is for the terminal to obey, or to show otherwise than it is. */
export const plainLine = (text: string): string => text.replaceAll(/\p{Cc}[\s\p{Cc}]*/gu, ' ').replaceAll(/\p{Cf}/gu, '')
