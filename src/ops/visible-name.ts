const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu

/** A name on one line: `⟨U+000A⟩` for each character that would break the line, control a terminal or reorder the text. */
export function visibleName(name: string): string {
  return name.replaceAll(HIDDEN, (char) => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}
