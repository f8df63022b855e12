/** Access to the memory of a WebAssembly program. Creates new views on each call, because the buffer is replaced when the memory grows. */
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

  /** Returns the bytes of a C string, without its NUL. */
  textBytes(at: number): Uint8Array {
    const all = new Uint8Array(this.#memory.buffer)
    return all.subarray(at, all.indexOf(0, at))
  }

  put(at: number, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer).set(bytes, at)
  }

  /** Returns false if the size exceeds `most` bytes or the host has no memory left. */
  grow(wanted: number, most: number): boolean {
    const have = this.#memory.buffer.byteLength
    if (wanted > most) return false
    // Grow by at least a fifth, because many small steps would copy the memory many times.
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
