const CODES = { error: 31, path: 36, faint: 90 } as const

/** Wraps a text in a theme colour. */
export function colour(name: keyof typeof CODES, text: string): string {
  return `\u001b[${CODES[name]}m${text}\u001b[39m`
}

/** Clears the screen and the scrollback. */
export const ERASE_ALL = '\u001b[H\u001b[2J\u001b[3J'

/**
 * Resets what a command's output may have changed: colours, margins, hidden cursor, alternate screen, mouse reports, cursor key mode.
 * Enables bracketed paste, so that pasted line ends run nothing.
 */
export const SETTLE = '\u001b[?47l\u001b[!p\u001b[?1000;1002;1003;1004;1;66l\u001b[?7;2004h'
