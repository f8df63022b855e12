/** Returns the part of a not-found message that names an existing file with another spelling; else an empty text. */
export const otherSpellingIn = (message: string): string => /, but "[^"\n]*" exists, [^\n]*/.exec(message)?.[0] ?? ''
