/** Converts to upper case. Like C, maps each character to one character: `ß` stays, while JavaScript returns `SS`. */
export const toUpper = (text: string): string => mapped(text, text.toUpperCase(), (char) => single(char.toUpperCase()) ?? char)

/** Converts to lower case. Like C, maps each character to one character: `İ` becomes `i`, while JavaScript returns two characters. */
export const toLower = (text: string): string => mapped(text, text.toLowerCase(), (char) => [...char.toLowerCase()][0] ?? char)

const mapped = (text: string, whole: string, each: (char: string) => string): string =>
  /^[\0-\x7f]*$/.test(text) ? whole : Array.from(text, each).join('')

const single = (text: string): string | undefined => ([...text].length === 1 ? text : undefined)
