/** Makes untrusted text safe to print on one line: removes line breaks, control characters and invisible format characters. */
export const plainLine = (text: string): string => text.replaceAll(/\p{Cc}[\s\p{Cc}]*/gu, ' ').replaceAll(/\p{Cf}/gu, '')
