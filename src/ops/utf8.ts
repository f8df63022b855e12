const SCRATCH_BYTES = 64 * 1024
const SCRATCH_UNITS = Math.floor(SCRATCH_BYTES / 3)

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
let scratch: Uint8Array | undefined

/** Encodes a text; the caller owns the result. A lone surrogate becomes U+FFFD, so check `hasLoneSurrogate` first. */
export function encodeUtf8(text: string): Uint8Array {
  // ASCII text has one byte per character, and filling an array of known size takes half the time.
  const bytes = new Uint8Array(text.length)
  return encoder.encodeInto(text, bytes).read === text.length ? bytes : encoder.encode(text)
}

/** Returns the number of bytes that `encodeUtf8` would return. */
export function utf8Length(text: string): number {
  // Encodes into a reused buffer, without an allocation: much faster than a loop over code units.
  scratch ??= new Uint8Array(SCRATCH_BYTES)
  if (text.length <= SCRATCH_UNITS) return encoder.encodeInto(text, scratch).written
  let bytes = 0
  for (let at = 0; at < text.length; ) {
    const end = codePointBoundary(text, at + SCRATCH_UNITS)
    bytes += encoder.encodeInto(text.slice(at, end), scratch).written
    at = end
  }
  return bytes
}

/** Returns `index`, or one less if `index` is within a surrogate pair. */
export function codePointBoundary(text: string, index: number): number {
  if (index <= 0 || index >= text.length) return Math.max(0, Math.min(index, text.length))
  return isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index)) ? index - 1 : index
}

/** Whether `text` cannot be encoded as UTF-8 without loss. */
export function hasLoneSurrogate(text: string): boolean {
  // ES2024, which all supported engines have; the library types end at ES2023.
  return !(text as string & { isWellFormed(): boolean }).isWellFormed()
}

/** Decodes UTF-8. Undefined if the bytes are not valid UTF-8. Keeps a byte order mark as U+FEFF. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    // A TypeError means invalid bytes. Other errors, such as a text that is too long, do not.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Returns the longest start of `text` that fits into `maxBytes` of UTF-8 and ends between code points. */
export function truncateUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  return text.slice(0, headUnits(text, maxBytes))
}

/** Returns the number of code units of the longest start of `text` that fits into `maxBytes` bytes. */
export function headUnits(text: string, maxBytes: number): number {
  let at = 0
  let left = maxBytes
  while (at < text.length) {
    const units = isPairAt(text, at) ? 2 : 1
    left -= bytesAt(text.charCodeAt(at), units)
    if (!(left >= 0)) return at
    at += units
  }
  return at
}

/** Returns the index at which the longest end of `text` that fits into `maxBytes` bytes starts. */
export function tailStart(text: string, maxBytes: number): number {
  let at = text.length
  let left = maxBytes
  while (at > 0) {
    const units = isPairAt(text, at - 2) ? 2 : 1
    left -= bytesAt(text.charCodeAt(at - units), units)
    if (!(left >= 0)) return at
    at -= units
  }
  return at
}

function bytesAt(unit: number, units: number): number {
  if (units === 2) return 4
  if (unit < 0x80) return 1
  return unit < 0x800 ? 2 : 3
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
const isPairAt = (text: string, at: number): boolean => at >= 0 && isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))
