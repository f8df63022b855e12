import { encodeUtf8 } from '../../../src/ops/utf8.js'
import { binaryOf } from '../escaped-bytes.js'

/** What a reader of the input requests. */
export interface Wanted {
  /** The character that ends a line. An empty text means NUL. */
  readonly delimiter: string
  /** Whether a backslash before the delimiter continues the line. */
  readonly continues: boolean
  /** Maximum number of characters. */
  readonly count?: number
  /** Whether to read `count` characters regardless of delimiters (`read -N`). */
  readonly exact?: boolean
}

/** The standard input of a script, consumed by its readers in turn. One character per byte. */
export class Input {
  #text = ''
  #closed: boolean
  #changed: (() => void)[] = []

  /** @param given the complete input; if undefined, `write` adds the input later */
  constructor(given?: string) {
    this.#closed = given !== undefined
    if (given) this.#text = binaryOf(encodeUtf8(given))
  }

  /** @param bytes the complete input, one character per byte */
  static ofBytes(bytes: string): Input {
    const input = new Input('')
    input.putBack(bytes)
    return input
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Number of unread bytes. */
  get waiting(): number {
    return this.#text.length
  }

  /** The unread input. */
  get rest(): string {
    return this.#text
  }

  get available(): boolean {
    return this.#text !== ''
  }

  write(text: string): void {
    this.#text += binaryOf(encodeUtf8(text))
    this.#tell()
  }

  close(): void {
    this.#closed = true
    this.#tell()
  }

  /** Resolves when more input arrives or the input ends. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve))
  }

  takeAll(): string {
    return this.#take(this.#text.length)
  }

  /** Puts unused input back at the front. */
  putBack(text: string): void {
    this.#text = text + this.#text
  }

  /** Takes the requested input. Returns undefined if it has not arrived completely. */
  take(wanted: Wanted): string | undefined {
    const length = wanted.count === undefined ? this.#lineLength(wanted) : this.#countLength(wanted, wanted.count)
    if (length !== undefined) return this.#take(length)
    return this.#closed ? this.takeAll() : undefined
  }

  #lineLength({ delimiter, continues }: Wanted): number | undefined {
    const end = delimiter === '' ? '\0' : delimiter
    for (let from = 0; ; ) {
      const at = this.#text.indexOf(end, from)
      if (at < 0) return undefined
      if (!continues || !isEscaped(this.#text, at)) return at + 1
      from = at + 1
    }
  }

  #countLength(wanted: Wanted, count: number): number | undefined {
    const line = wanted.exact ? undefined : this.#lineLength({ ...wanted, continues: false })
    let length = 0
    for (let characters = 0; characters < count; characters++) {
      if (length >= this.#text.length) return line !== undefined && line <= length ? line : undefined
      if (line !== undefined && length >= line) return line
      length += characterLength(this.#text.charCodeAt(length))
    }
    return length <= this.#text.length ? Math.min(length, line ?? length) : undefined
  }

  #take(length: number): string {
    const taken = this.#text.slice(0, length)
    this.#text = this.#text.slice(length)
    return taken
  }

  #tell(): void {
    const changed = this.#changed
    this.#changed = []
    for (const each of changed) each()
  }
}

/** Returns the length of the UTF-8 character that begins with this byte. */
const characterLength = (byte: number): number => (byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
