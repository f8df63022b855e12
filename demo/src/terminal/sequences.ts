const CODES = { error: 31, path: 36, faint: 90 } as const

/** The text in one of the theme's colours. */
export function colour(name: keyof typeof CODES, text: string): string {
  return `\u001b[${CODES[name]}m${text}\u001b[39m`
}

/** Empties the screen and what was scrolled away. */
export const ERASE_ALL = '\u001b[H\u001b[2J\u001b[3J'

/**
 * Takes back what a command's output may have set: colours, margins, a hidden cursor, the second screen, mouse reports, other arrow keys.
 * And asks for pastes to be marked as such, so that their line ends run nothing.
 */
export const SETTLE = '\u001b[?47l\u001b[!p\u001b[?1000;1002;1003;1004;1;66l\u001b[?7;2004h'
