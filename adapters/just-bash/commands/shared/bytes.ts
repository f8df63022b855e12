import { decodeEscaped, encodeEscaped, latin1Bytes } from '../../escaped-bytes.js'

// A command reads and prints bytes as strings, one character each. Its arguments are texts, in which a byte that is no UTF-8 is an escape.

export { binaryOf, packed } from '../../escaped-bytes.js'

/** A string with characters that are no bytes is taken for text. */
export function bytesOf(binary: string): Uint8Array {
  return latin1Bytes(binary) ?? encodeEscaped(binary)
}

const NOT_ASCII = /[^\0-\x7f]/

/** What the bytes say as UTF-8; those that are none are escapes. */
export const textOf = (binary: string): string => (NOT_ASCII.test(binary) ? decodeEscaped(bytesOf(binary)) : binary)

export const textOfBytes = (bytes: Uint8Array): string => decodeEscaped(bytes)

export const bytesOfText = (text: string): Uint8Array => encodeEscaped(text)
