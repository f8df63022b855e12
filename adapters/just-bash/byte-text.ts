// The library keeps bytes in strings, one character a byte, and does not always know which of its strings are such.

const NOT_ASCII = /[^\0-\x7f]/
const HIGH_BYTES = /[\x80-\xff]{2,}/g
/** `read` and `mapfile` take bytes for text, which is then written as UTF-8 a second time. */
const TAKES_BYTES_FOR_TEXT = /\b(?:read|mapfile|readarray)\b/
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined when a character is no byte. */
export function latin1Bytes(content: string): Uint8Array | undefined {
  const bytes = new Uint8Array(content.length)
  for (let i = 0; i < content.length; i++) {
    const unit = content.charCodeAt(i)
    if (unit > 0xff) return undefined
    bytes[i] = unit
  }
  return bytes
}

/** The text itself, or what its characters are as UTF-8 where they can be that. */
export function unpacked(content: string): string {
  const bytes = NOT_ASCII.test(content) ? latin1Bytes(content) : undefined
  if (!bytes) return content
  try {
    return strict.decode(bytes)
  } catch {
    return content
  }
}

/** What a text means that a command of `script` prints. */
export function textReader(script: string): (text: string) => string {
  if (!TAKES_BYTES_FOR_TEXT.test(script)) return (text) => text
  return (text) => text.replace(HIGH_BYTES, unpacked)
}
