/** Quotes a word for a script if it has special characters. */
export const quotedWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word))

export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
