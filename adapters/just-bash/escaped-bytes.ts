// Invalid UTF-8 bytes appear in a text as lone surrogates, U+DC80 to U+DCFF, one per byte, like Python's "surrogateescape" (PEP 383). The
// shell stores variables, arguments and literals this way, so that it writes exactly the bytes that it has read. `scripts/vendor.mjs` also
// builds this file into just-bash.

const ESCAPE = 0xdc00
const FIRST = 0xdc80
const LAST = 0xdcff
const REPLACEMENT = [0xef, 0xbf, 0xbd] as const
/** Maximum number of code units per `fromCharCode` call: an argument list of millions would overflow the stack. */
const RUN = 8192

const NOT_ASCII = /[^\0-\x7f]/
const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the escape of a byte above 127. */
export const escapeOf = (byte: number): string => String.fromCharCode(ESCAPE + byte)

/** Decodes UTF-8 without loss: bytes of invalid UTF-8 become escapes. */
export function decodeEscaped(bytes: Uint8Array): string {
  return decodeStrict(bytes) ?? textOfUnits(escapedUnits(bytes))
}

/** Decodes bytes as UTF-8. Returns undefined for invalid UTF-8. */
function decodeStrict(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch (error) {
    // Other errors are not about the bytes. For example, the text may be too long.
    if (!(error instanceof TypeError)) throw error
    return undefined
  }
}

/** Reverses `decodeEscaped`. Other lone surrogates become U+FFFD. */
export function encodeEscaped(text: string): Uint8Array {
  return isWellFormed(text) ? encoder.encode(text) : escapedBytes(text)
}

/** Replaces adjacent escapes that together form a valid character with that character. */
export const joined = (text: string): string => (hasEscapes(text) ? decodeEscaped(encodeEscaped(text)) : text)

/** Whether the text contains escaped bytes. */
export const hasEscapes = (text: string): boolean => !isWellFormed(text) && /[\udc80-\udcff]/u.test(text)

// ES2024, supported by every target engine, but missing from the ES2023 library types.
export const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()

/** Replaces each escape and any other lone surrogate with U+FFFD. */
export const wellFormed = (text: string): string => (text as string & { toWellFormed(): string }).toWellFormed()

/** Returns the character of a code point. For an invalid code point, such as a surrogate, returns the bytes that bash writes. */
export function characterOf(code: number): string {
  if (code < 0xd800 || (code > 0xdfff && code <= 0x10ffff)) return String.fromCodePoint(code)
  if (code > 0x1fffff) return '\ufffd'
  const tails = code > 0xffff ? [12, 6, 0] : [6, 0]
  const first = code > 0xffff ? 0xf0 | (code >> 18) : 0xe0 | (code >> 12)
  return [first, ...tails.map((shift) => 0x80 | ((code >> shift) & 0x3f))].map(escapeOf).join('')
}

function escapedUnits(bytes: Uint8Array): Uint16Array {
  const units = new Uint16Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceAt(bytes, at)
    const code = size === 0 ? ESCAPE + (bytes[at] as number) : codeAt(bytes, at, size)
    if (code > 0xffff) {
      units[length++] = 0xd800 + ((code - 0x10000) >> 10)
      units[length++] = 0xdc00 + ((code - 0x10000) & 0x3ff)
    } else units[length++] = code
    at += size || 1
  }
  return units.subarray(0, length)
}

/** Returns the length in bytes of the character at `at`, or 0 if there is no valid character. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  if (first < 0x80) return 1
  const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  if (size === 0 || at + size > bytes.length) return 0
  for (let i = 1; i < size; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0
  const second = bytes[at + 1] as number
  const isTooLong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)
  const isNone = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f)
  return isTooLong || isNone ? 0 : size
}

function codeAt(bytes: Uint8Array, at: number, size: number): number {
  let code = size === 1 ? (bytes[at] as number) : (bytes[at] as number) & (0x7f >> size)
  for (let i = 1; i < size; i++) code = (code << 6) | ((bytes[at + i] as number) & 0x3f)
  return code
}

function textOfUnits(units: Uint16Array): string {
  const parts: string[] = []
  for (let at = 0; at < units.length; at += RUN) parts.push(textOfRun(units.subarray(at, at + RUN)))
  return parts.join('')
}

function escapedBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let length = 0
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number
    at += code > 0xffff ? 2 : 1
    if (code >= FIRST && code <= LAST) bytes[length++] = code - ESCAPE
    else if (code < 0x80) bytes[length++] = code
    else length += put(bytes, length, encodedUnit(code))
  }
  return bytes.subarray(0, length)
}

function put(bytes: Uint8Array, at: number, values: readonly number[]): number {
  for (const [i, value] of values.entries()) bytes[at + i] = value
  return values.length
}

function encodedUnit(code: number): readonly number[] {
  const tail = (shift: number): number => 0x80 | ((code >> shift) & 0x3f)
  if (code < 0x800) return [0xc0 | (code >> 6), tail(0)]
  if (code >= 0xd800 && code <= 0xdfff) return REPLACEMENT
  return code < 0x10000 ? [0xe0 | (code >> 12), tail(6), tail(0)] : [0xf0 | (code >> 18), tail(12), tail(6), tail(0)]
}

/** Converts bytes to a string with one character per byte. */
export function binaryOf(bytes: Uint8Array): string {
  // The decoder takes a sixth of the time. Its result has one character per byte if both lengths are equal.
  const text = decodeStrict(bytes)
  if (text?.length === bytes.length) return text
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += RUN) parts.push(textOfRun(bytes.subarray(at, at + RUN)))
  return parts.join('')
}

/** Uses `apply`, because a spread takes nine times as long. */
const textOfRun = (units: Uint8Array | Uint16Array): string => String.fromCharCode.apply(null, units as unknown as number[])

/** Returns undefined if a character is not a byte. */
export function latin1Bytes(content: string): Uint8Array | undefined {
  if (!NOT_ASCII.test(content)) return encoder.encode(content)
  const bytes = new Uint8Array(content.length)
  for (let i = 0; i < content.length; i++) {
    const unit = content.charCodeAt(i)
    if (unit > 0xff) return undefined
    bytes[i] = unit
  }
  return bytes
}

/** Encodes a text as a string with one character per byte. */
export const packed = (text: string): string => (NOT_ASCII.test(text) ? binaryOf(encodeEscaped(text)) : text)

/** Decodes a string with one character per byte. A string with other characters is already text. */
export function textOf(binary: string): string {
  const bytes = NOT_ASCII.test(binary) ? latin1Bytes(binary) : undefined
  return bytes ? decodeEscaped(bytes) : binary
}
