import { decodeEscaped, encodeEscaped, latin1Bytes } from '../../escaped-bytes.js'

// Commands read and print strings with one character per byte. Their arguments are texts with escapes for invalid UTF-8 bytes.

export { binaryOf, packed } from '../../escaped-bytes.js'

/** Converts a string to bytes. If the string has characters that are not bytes, encodes it as text. */
export function bytesOf(binary: string): Uint8Array {
  return latin1Bytes(binary) ?? encodeEscaped(binary)
}

const NOT_ASCII = /[^\0-\x7f]/

/** Decodes bytes as UTF-8, with escapes for invalid bytes. */
export const textOf = (binary: string): string => (NOT_ASCII.test(binary) ? decodeEscaped(bytesOf(binary)) : binary)

export const textOfBytes = (bytes: Uint8Array): string => decodeEscaped(bytes)

export const bytesOfText = (text: string): Uint8Array => encodeEscaped(text)
