/**
 * A version is what the content is, and which of our own writes was the last: so it changes with a write of the same content, and with
 * what a process in the container writes. (Not with the same content written by a process: nothing tells of that.)
 */
export class Versions {
  /** Path -> number of the last write. */
  readonly #writes = new Map<string, number>()
  #last = 0

  async of(path: string, bytes: Uint8Array): Promise<string> {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>), 0, 12)
    return `${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}-${this.#writes.get(path) ?? 0}`
  }

  written(path: string): void {
    this.#writes.set(path, ++this.#last)
  }

  moved(from: string, to: string): void {
    const moving = [...this.#writes].filter(([path]) => path === from || path.startsWith(`${from}/`))
    this.gone(from)
    this.gone(to)
    for (const [path, write] of moving) this.#writes.set(to + path.slice(from.length), write)
  }

  gone(path: string): void {
    for (const known of this.#writes.keys()) if (known === path || known.startsWith(`${path}/`)) this.#writes.delete(known)
  }
}
