import { contentDigest } from '../ops/content-digest.js'

/** Larger contents are compared by their version alone. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_KNOWN = 10_000

/** What the content of a file was at a version: a new mode or time, or equal bytes, give a new version and no new content. */
export class KnownContents {
  readonly #digests = new Map<string, string>()

  note(path: string, version: string, bytes: Uint8Array): void {
    const key = `${version} ${path}`
    if (bytes.length > MAX_BYTES || this.#digests.has(key)) return
    this.#digests.set(key, contentDigest(bytes))
    if (this.#digests.size <= MAX_KNOWN) return
    for (const oldest of this.#digests.keys()) {
      this.#digests.delete(oldest)
      return
    }
  }

  /** Of a content that has this many bytes; without it only the same version will do. */
  mayEqual(path: string, version: string, size: number): boolean {
    return this.#digests.get(`${version} ${path}`)?.startsWith(`${size}-`) ?? false
  }

  areEqual(path: string, version: string, other: string): boolean {
    const digest = this.#digests.get(`${version} ${path}`)
    return version === other || (digest !== undefined && digest === this.#digests.get(`${other} ${path}`))
  }
}
