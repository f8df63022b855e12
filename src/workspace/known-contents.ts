// Imports nothing: it is a separate chunk of a bundle and must not share code with the start chunk.

/** Digests of known contents by version and path, for each storage. */
const known = new WeakMap<object, Digests>()

/** Larger contents are not hashed in one step. */
const MAX_BYTES = 16 * 1024 * 1024
/** Maximum size of one generation. */
const MAX_KNOWN = 5000

/** Digests in two generations, because a map that always deletes its oldest key has to skip all deleted entries each time. */
class Digests {
  #recent = new Map<string, string>()
  #older = new Map<string, string>()

  get(version: string, path: string): string | undefined {
    const key = `${version} ${path}`
    return this.#recent.get(key) ?? this.#older.get(key)
  }

  set(version: string, path: string, digest: string): void {
    if (this.#recent.size === MAX_KNOWN) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(`${version} ${path}`, digest)
  }
}

/** Records the digest of a version's content. A new mode or time, or a write of equal bytes, makes a new version but no new content. */
export function noteContent(storage: object, path: string, version: string, bytes: Uint8Array): void {
  if (bytes.length > MAX_BYTES || isKnown(storage, path, version)) return
  const digest = contentDigest()
  digest.add(bytes)
  noteDigest(storage, path, version, digest)
}

export function noteDigest(storage: object, path: string, version: string, digest: ContentDigest): void {
  const digests = known.get(storage) ?? new Digests()
  known.set(storage, digests)
  digests.set(version, path, digest.end())
}

/** Whether the digest of a version's content is known. The digest is unknown if only a part of the file was read. */
export function isKnown(storage: object, path: string, version: string): boolean {
  return known.get(storage)?.get(version, path) !== undefined
}

/** Whether the content of a version is known and has this size, so that it may equal a file of this size. */
export function mayBeEqual(storage: object, path: string, version: string, size: number): boolean {
  return known.get(storage)?.get(version, path)?.startsWith(`${size}-`) ?? false
}

/** The message for an unexpected version. */
export function staleDetail(storage: object, path: string, expect: string): { readonly detail?: string } {
  if (isKnown(storage, path, expect)) return {}
  return { detail: 'it changed since it was read (perhaps only its mode or time): read it again' }
}

export function areEqual(storage: object, path: string, version: string, other: string): boolean {
  const digests = known.get(storage)
  const digest = digests?.get(version, path)
  return version === other || (digest !== undefined && digest === digests?.get(other, path))
}

export interface ContentDigest {
  /** Adds the next bytes of the content. */
  add(bytes: Uint8Array): void
  /** Number of bytes so far. */
  size(): number
  end(): string
}

/** A 64-bit digest of a content and its length. It detects accidental differences, not intentional collisions. */
export function contentDigest(): ContentDigest {
  let a = 0x9e3779b9
  let b = 0x85ebca6b
  let length = 0
  // The bytes of an incomplete word.
  let open = 0
  const addWords = (words: ArrayLike<number>): void => {
    // Use local variables: engines keep them in registers, but closure variables in memory.
    let [x, y] = [a, b]
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as number
      x = Math.imul(x ^ word, 0xcc9e2d51)
      x ^= x >>> 15
      y = Math.imul(y ^ word, 0x1b873593)
      y = (((y << 13) | (y >>> 19)) + x) | 0
    }
    a = x
    b = y
  }
  const addByte = (byte: number): void => {
    open |= byte << (8 * (length % 4))
    if (++length % 4 > 0) return
    addWords([open])
    open = 0
  }
  return {
    add(bytes) {
      let at = 0
      while (at < bytes.length && length % 4 > 0) addByte(bytes[at++] as number)
      const count = (bytes.length - at) >> 2
      const start = bytes.byteOffset + at
      addWords(start % 4 === 0 ? new Uint32Array(bytes.buffer, start, count) : new Uint32Array(bytes.slice(at, at + count * 4).buffer))
      length += count * 4
      for (at += count * 4; at < bytes.length; at++) addByte(bytes[at] as number)
    },
    size: () => length,
    end: () => `${length}-${mixed(a ^ length ^ Math.imul(open, 0x1b873593))}${mixed(b ^ a ^ open)}`,
  }
}

function mixed(value: number): string {
  let mix = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return ((mix ^ (mix >>> 16)) >>> 0).toString(16).padStart(8, '0')
}

/** Bytes to decode before yielding: about 3 ms. */
const DECODED = 512 * 1024

/** Decodes long UTF-8 bytes like `decodeUtf8`: returns undefined if they are not valid UTF-8. Yields to the event loop in between. */
export async function decodeLong(bytes: Uint8Array, host: { yield(): Promise<void> }): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += DECODED) {
    try {
      pieces.push(decoder.decode(bytes.subarray(at, at + DECODED), { stream: at + DECODED < bytes.length }))
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
    await host.yield()
  }
  return pieces.join('')
}
