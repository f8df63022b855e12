/** A word as a script has to write it, so that it stays one and stays as it is. */
export const quotedWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word))

export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
