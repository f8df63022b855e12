/** What the message of a missing file says of the one that is there under another spelling, to go on with; else nothing. */
export const otherSpellingIn = (message: string): string => /, but "[^"\n]*" is there, [^\n]*/.exec(message)?.[0] ?? ''
