// Bytes that are no UTF-8 stand in a text as lone surrogates, U+DC80 to U+DCFF, one a byte, as in Python's "surrogateescape" (PEP 383): the shell
// keeps its variables, arguments and literals so, and what is written is what was read. `scripts/vendor.mjs` builds this into just-bash too.

const ESCAPE = 0xdc00
const FIRST = 0xdc80
const LAST = 0xdcff
const REPLACEMENT = [0xef, 0xbf, 0xbd] as const
/** In runs: one call with millions of arguments overflows the stack. */
const RUN = 8192

const NOT_ASCII = /[^\0-\x7f]/
const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What stands for a byte from 128 on. */
export const escapeOf = (byte: number): string => String.fromCharCode(ESCAPE + byte)

/** Every byte is in the text: what is no UTF-8 as an escape. */
export function decodeEscaped(bytes: Uint8Array): string {
  return decodeStrict(bytes) ?? textOfUnits(escapedUnits(bytes))
}

/** Undefined: the bytes are no UTF-8. */
function decodeStrict(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch (error) {
    // Anything else is not about the bytes: a text may be too long.
    if (!(error instanceof TypeError)) throw error
    return undefined
  }
}

/** The bytes that `decodeEscaped` was given. Other lone surrogates become U+FFFD. */
export function encodeEscaped(text: string): Uint8Array {
  return isWellFormed(text) ? encoder.encode(text) : escapedBytes(text)
}

/** The text with a character where several escapes make one together. */
export const joined = (text: string): string => (hasEscapes(text) ? decodeEscaped(encodeEscaped(text)) : text)

/** Whether there are bytes in the text that are no UTF-8. */
export const hasEscapes = (text: string): boolean => !isWellFormed(text) && /[\udc80-\udcff]/u.test(text)

// ES2024, and in every engine we run on; the library types stop at ES2023.
export const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()

/** The text with U+FFFD for each escape, and for each other half of a character. */
export const wellFormed = (text: string): string => (text as string & { toWellFormed(): string }).toWellFormed()

/** The character of a number; what is none in Unicode, such as half of one, is its bytes, as bash writes them. */
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

/** Bytes of the character that begins there; 0 for none. */
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

/** One character a byte. */
export function binaryOf(bytes: Uint8Array): string {
  // The decoder takes a sixth of the time. Every longer sequence has fewer characters than bytes.
  const text = decodeStrict(bytes)
  if (text?.length === bytes.length) return text
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += RUN) parts.push(textOfRun(bytes.subarray(at, at + RUN)))
  return parts.join('')
}

/** A spread takes nine times as long. */
const textOfRun = (units: Uint8Array | Uint16Array): string => String.fromCharCode.apply(null, units as unknown as number[])

/** Undefined when a character is no byte. */
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

/** A text as its bytes, one character each. */
export const packed = (text: string): string => (NOT_ASCII.test(text) ? binaryOf(encodeEscaped(text)) : text)

/** Bytes, one character each, as a text. What has characters that are no bytes is one already. */
export function textOf(binary: string): string {
  const bytes = NOT_ASCII.test(binary) ? latin1Bytes(binary) : undefined
  return bytes ? decodeEscaped(bytes) : binary
}
