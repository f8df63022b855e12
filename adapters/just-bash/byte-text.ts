// The library keeps bytes in strings, one character a byte. A build without hooks does not always know which of its strings are such.

import { latin1Bytes } from './escaped-bytes.js'

const NOT_ASCII = /[^\0-\x7f]/
const HIGH_BYTES = /[\x80-\xff]{2,}/g
/** `\303` and `\xc3`: `printf` and `echo -e` give characters for them that are to be bytes. */
const BYTE_ESCAPES = /\\(?:x[89a-f][\da-f]|0?[2-3][0-7]{2})/i
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

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

/** What the texts mean that the commands of one script give, in a build without hooks: the other one always knows. */
export class ScriptText {
  /** Commands of the script take bytes for text, which is then written as UTF-8 a second time. */
  doubled = false
  readonly #hooked: boolean
  readonly #escapes: boolean

  constructor(script: string, hooked: boolean) {
    this.#hooked = hooked
    this.#escapes = !hooked && BYTE_ESCAPES.test(script)
  }

  /** A text that goes to a file. */
  written(text: string): string {
    return this.doubled ? text.replace(HIGH_BYTES, unpacked) : text
  }

  /** A text that goes to standard error. */
  told(text: string): string {
    return this.#hooked ? text : unpacked(text)
  }

  /** A text that goes to standard output. */
  printed(text: string): string {
    return this.#escapes ? unpacked(this.written(text)) : this.written(text)
  }
}
