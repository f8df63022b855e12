/**
 * Computes file versions from a hash of the content and the number of the last write through this storage. So the version changes with each
 * write through this storage, even of the same content, and when a process writes other content. The version does not change when a process
 * writes the same content, because the container does not report that write.
 */
export class Versions {
  /** Maps a path to the number of its last write. */
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
