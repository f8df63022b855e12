import { C_ESCAPES as NAMES } from '../shared/c-escapes.js'

/** Formats a line for the `l` command, piece by piece: with unambiguous escapes, and folded at the line length. */
export class Listing {
  readonly #width: number
  #column = 0

  constructor(width = 70) {
    this.#width = width
  }

  of(bytes: string): string {
    let out = ''
    for (const char of bytes) {
      const code = char.charCodeAt(0)
      const part = NAMES[char] ?? (code < 32 || code > 126 ? `\\${code.toString(8).padStart(3, '0')}` : char)
      if (this.#width > 1 && this.#column + part.length > this.#width - 1) {
        out += '\\\n'
        this.#column = 0
      }
      out += part
      this.#column += part.length
    }
    return out
  }
}
