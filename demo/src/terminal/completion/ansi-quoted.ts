const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
}

const ESCAPE = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/y

/**
 * The value and length of an escape of `$'...'` at `at`. Undefined if the escape is incomplete, or if its bytes are not a complete
 * character.
 */
export function readAnsiEscape(text: string, at: number): { readonly value: string; readonly length: number } | undefined {
  ESCAPE.lastIndex = at
  const match = ESCAPE.exec(text)
  if (!match) return undefined
  const [{ length }, hex, short, long, octal, letter] = match as unknown as readonly [string, ...(string | undefined)[]]
  if (letter !== undefined) return { value: LETTERS[letter] ?? `\\${letter}`, length }
  const byte = hex ?? octal
  const code = byte !== undefined ? Number.parseInt(byte, hex === undefined ? 8 : 16) : Number.parseInt(short ?? long ?? '', 16)
  if (code === 0 || code > 0x10ffff || (byte !== undefined && code > 0x7f)) return undefined
  return { value: String.fromCodePoint(code), length }
}
