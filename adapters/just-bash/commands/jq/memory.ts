/** Texts and numbers in the memory of a program, whose buffer is another one after it has grown. */
export class Memory {
  readonly #memory: WebAssembly.Memory

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory
  }

  get view(): DataView {
    return new DataView(this.#memory.buffer)
  }

  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, length)
  }

  /** Up to its NUL. */
  textBytes(at: number): Uint8Array {
    const all = new Uint8Array(this.#memory.buffer)
    return all.subarray(at, all.indexOf(0, at))
  }

  put(at: number, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer).set(bytes, at)
  }

  /** False: there is none, or it would be more than `most` bytes. */
  grow(wanted: number, most: number): boolean {
    const have = this.#memory.buffer.byteLength
    if (wanted > most) return false
    // By a fifth at least, so that many small steps do not copy.
    const bytes = Math.min(most, Math.max(wanted, have * 1.2))
    try {
      this.#memory.grow(Math.ceil((bytes - have) / PAGE))
      return true
    } catch {
      return false
    }
  }
}

const PAGE = 65_536
