import { joinBytes } from '../bytes.js'
import type { ArchiveSource } from './entry.js'
import { partsOf } from './source.js'

const NONE = new Uint8Array(0)

/** Reads a source by lengths instead of by its own parts. */
export class ByteReader {
  readonly #parts: AsyncIterator<Uint8Array>
  readonly #signal: AbortSignal | undefined
  #part: Uint8Array = NONE
  #at = 0
  #ended = false
  #position = 0

  constructor(source: ArchiveSource, signal?: AbortSignal) {
    this.#parts = partsOf(source)
    this.#signal = signal
  }

  /** Bytes read or skipped so far. */
  get position(): number {
    return this.#position
  }

  /** So many bytes; fewer only at the end. They may be a view of the source: not to be changed. */
  async read(length: number): Promise<Uint8Array> {
    if (this.#part.length - this.#at >= length) return this.#take(length)
    const parts: Uint8Array[] = []
    let left = length
    while (left > 0) {
      const part = await this.some(left)
      if (!part) break
      parts.push(part)
      left -= part.length
    }
    return parts.length === 1 ? (parts[0] as Uint8Array) : joinBytes(parts)
  }

  /** The next bytes that are at hand, at the most so many; undefined at the end. */
  async some(most: number): Promise<Uint8Array | undefined> {
    if (this.#at === this.#part.length && !(await this.#more())) return undefined
    return this.#take(Math.min(most, this.#part.length - this.#at))
  }

  /** Passes over so many bytes. Gives how many there were. */
  async skip(length: number): Promise<number> {
    let left = length
    while (left > 0) {
      const part = await this.some(left)
      if (!part) break
      left -= part.length
    }
    return length - left
  }

  /** The next bytes without reading them; fewer only at the end. */
  async peek(length: number): Promise<Uint8Array> {
    while (this.#part.length - this.#at < length) {
      const rest = this.#part.subarray(this.#at)
      if (!(await this.#more())) {
        this.#part = rest
        this.#at = 0
        break
      }
      this.#part = joinBytes([rest, this.#part])
    }
    return this.#part.subarray(this.#at, this.#at + length)
  }

  /** Everything that is left, part by part. */
  async *rest(): AsyncGenerator<Uint8Array> {
    try {
      for (let part = await this.some(Number.POSITIVE_INFINITY); part; part = await this.some(Number.POSITIVE_INFINITY)) yield part
    } finally {
      this.close()
    }
  }

  /** Lets go of the source, without waiting for it: it may hang. Idempotent. */
  close(): void {
    if (this.#ended) return
    this.#ended = true
    this.#part = NONE
    this.#at = 0
    // The caller's own error, if there is one, is the one to tell.
    Promise.resolve(this.#parts.return?.()).catch(() => undefined)
  }

  #take(length: number): Uint8Array {
    const start = this.#at
    this.#at += length
    this.#position += length
    return this.#part.subarray(start, this.#at)
  }

  /** The next part that is not empty. */
  async #more(): Promise<boolean> {
    while (!this.#ended) {
      const next = await this.#next()
      if (next.done) this.#ended = true
      else if (!ArrayBuffer.isView(next.value)) throw new TypeError('An archive is read from bytes: its source gave something else')
      else if (next.value.length > 0) {
        this.#part = next.value
        this.#at = 0
        return true
      }
    }
    return false
  }

  /** Not longer than until the abort: a source may never answer. */
  async #next(): Promise<IteratorResult<Uint8Array>> {
    const signal = this.#signal
    if (!signal) return this.#parts.next()
    signal.throwIfAborted()
    let stop: () => void = () => undefined
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
    })
    try {
      return await Promise.race([this.#parts.next(), aborted])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}
