/** Fast path for ordinary names: this test takes a third of the time of a replacement that replaces nothing. */
const PLAIN = /^[ -~]*$/
const IN_NAME = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu

/** A visible mark for a character: `⟨U+000A⟩`. */
export const mark = (char: string): string => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

/** A name on one line, with a mark for each character that would break the line, control a terminal or reorder the text. */
export const visibleName = (name: string): string => (PLAIN.test(name) ? name : name.replaceAll(IN_NAME, mark))
