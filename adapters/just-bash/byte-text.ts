// just-bash stores bytes in strings, one character per byte. A build without hooks (option `load`) does not always tell which strings hold
// bytes.

import { latin1Bytes } from './escaped-bytes.js'

const NOT_ASCII = /[^\0-\x7f]/
const HIGH_BYTES = /[\x80-\xff]{2,}/g
/** Byte escapes such as `\303` and `\xc3`. For these, `printf` and `echo -e` print characters instead of bytes. */
const BYTE_ESCAPES = /\\(?:x[89a-f][\da-f]|0?[2-3][0-7]{2})/i
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes a string of bytes as UTF-8. Returns the text unchanged if it is not valid UTF-8. */
export function unpacked(content: string): string {
  const bytes = NOT_ASCII.test(content) ? latin1Bytes(content) : undefined
  if (!bytes) return content
  try {
    return strict.decode(bytes)
  } catch {
    return content
  }
}

/** Decodes the output texts of a script for a build without hooks. A build with hooks always knows which texts are bytes. */
export class ScriptText {
  /** Whether commands of the script treat bytes as text. The library then encodes the bytes as UTF-8 a second time. */
  doubled = false
  readonly #hooked: boolean
  readonly #escapes: boolean

  constructor(script: string, hooked: boolean) {
    this.#hooked = hooked
    this.#escapes = !hooked && BYTE_ESCAPES.test(script)
  }

  /** Undoes a double encoding (`doubled`) in text that goes to a file. */
  written(text: string): string {
    return this.doubled ? text.replace(HIGH_BYTES, unpacked) : text
  }

  /** Decodes UTF-8 bytes in text that goes to standard error, for a build without hooks. */
  told(text: string): string {
    return this.#hooked ? text : unpacked(text)
  }

  /** Undoes a double encoding in text that goes to standard output. If the script has byte escapes, also decodes UTF-8 bytes. */
  printed(text: string): string {
    return this.#escapes ? unpacked(this.written(text)) : this.written(text)
  }
}
