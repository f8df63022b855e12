import { joinBytes } from '../bytes.js'
import { untilAborted } from '../concurrency.js'
import type { ArchiveSource } from './entry.js'
import { partsOf } from './source.js'

const NONE = new Uint8Array(0)

/** Reads a source by byte counts, independent of its chunks. */
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

  /** Number of bytes read or skipped. */
  get position(): number {
    return this.#position
  }

  /** Reads this many bytes, or fewer at the end of the source. The result may be a view of the source, so do not modify it. */
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

  /** Returns the next available bytes, at most `most`; undefined at the end. */
  async some(most: number): Promise<Uint8Array | undefined> {
    if (this.#at === this.#part.length && !(await this.#more())) return undefined
    return this.#take(Math.min(most, this.#part.length - this.#at))
  }

  /** Skips this many bytes. Returns the number of skipped bytes. */
  async skip(length: number): Promise<number> {
    let left = length
    while (left > 0) {
      const part = await this.some(left)
      if (!part) break
      left -= part.length
    }
    return length - left
  }

  /** Returns the next bytes without consuming them. Returns fewer only at the end of the source. */
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

  /** Yields the rest of the source, chunk by chunk. */
  async *rest(): AsyncGenerator<Uint8Array> {
    try {
      for (let part = await this.some(Number.POSITIVE_INFINITY); part; part = await this.some(Number.POSITIVE_INFINITY)) yield part
    } finally {
      this.close()
    }
  }

  /** Releases the source without waiting for it, because it may hang. Idempotent. */
  close(): void {
    if (this.#ended) return
    this.#ended = true
    this.#part = NONE
    this.#at = 0
    // Ignore errors of the source here: the caller's own error matters.
    Promise.resolve(this.#parts.return?.()).catch(() => undefined)
  }

  #take(length: number): Uint8Array {
    const start = this.#at
    this.#at += length
    this.#position += length
    return this.#part.subarray(start, this.#at)
  }

  /** Fetches the next chunk that is not empty. */
  async #more(): Promise<boolean> {
    while (!this.#ended) {
      const next = await this.#next()
      if (next.done) this.#ended = true
      else if (!ArrayBuffer.isView(next.value))
        throw new TypeError('Cannot read the archive: its source returned a value that is not bytes')
      else if (next.value.length > 0) {
        this.#part = next.value
        this.#at = 0
        return true
      }
    }
    return false
  }

  /** Rejects on abort, because a source may never answer. */
  async #next(): Promise<IteratorResult<Uint8Array>> {
    this.#signal?.throwIfAborted()
    return untilAborted(this.#parts.next(), this.#signal)
  }
}
