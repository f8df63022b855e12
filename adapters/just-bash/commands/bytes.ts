import { latin1Bytes } from '../byte-text.js'

// A command reads and prints bytes as strings, one character each.

/** In runs: one call with millions of arguments overflows the stack. */
const RUN = 8192
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function binaryOf(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += RUN) parts.push(String.fromCharCode(...bytes.subarray(at, at + RUN)))
  return parts.join('')
}

/** A string with characters that are no bytes is taken for text. */
export function bytesOf(binary: string): Uint8Array {
  return latin1Bytes(binary) ?? encoder.encode(binary)
}

/** What the bytes say as UTF-8. */
export const textOf = (binary: string): string => decoder.decode(bytesOf(binary))

export const textOfBytes = (bytes: Uint8Array): string => decoder.decode(bytes)

export const bytesOfText = (text: string): Uint8Array => encoder.encode(text)

/** Text as its bytes. */
export const packed = (text: string): string => binaryOf(encoder.encode(text))
