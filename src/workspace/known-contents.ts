// Imports nothing: in a bundle it is a chunk of its own, which must not share code with the part that is loaded first.

/** Of a storage: version and path -> a digest of the content that it stands for. */
const known = new WeakMap<object, Map<string, string>>()

/** Larger contents are compared by their version alone. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_KNOWN = 10_000

/** Notes what a version stands for: a new mode or time, or equal bytes, give a new version and no new content. */
export function noteContent(storage: object, path: string, version: string, bytes: Uint8Array): void {
  const digests = known.get(storage) ?? new Map<string, string>()
  known.set(storage, digests)
  const key = `${version} ${path}`
  if (bytes.length > MAX_BYTES || digests.has(key)) return
  digests.set(key, contentDigest(bytes))
  if (digests.size <= MAX_KNOWN) return
  for (const oldest of digests.keys()) {
    digests.delete(oldest)
    return
  }
}

/** Whether a version may stand for the content of a file of this size. */
export function mayBeEqual(storage: object, path: string, version: string, size: number): boolean {
  return known.get(storage)?.get(`${version} ${path}`)?.startsWith(`${size}-`) ?? false
}

export function areEqual(storage: object, path: string, version: string, other: string): boolean {
  const digests = known.get(storage)
  const digest = digests?.get(`${version} ${path}`)
  return version === other || (digest !== undefined && digest === digests?.get(`${other} ${path}`))
}

/** 64 bits of a content and its length: tells equal contents from different ones that came about by accident, not by intent. */
function contentDigest(bytes: Uint8Array): string {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, bytes.length >> 2)
  let a = 0x9e3779b9
  let b = 0x85ebca6b
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number
    a = Math.imul(a ^ word, 0xcc9e2d51)
    a ^= a >>> 15
    b = Math.imul(b ^ word, 0x1b873593)
    b = (((b << 13) | (b >>> 19)) + a) | 0
  }
  for (let i = words.length * 4; i < bytes.length; i++) {
    a = Math.imul(a ^ (bytes[i] as number), 0xcc9e2d51)
    b = (Math.imul(b ^ (bytes[i] as number), 0x1b873593) + a) | 0
  }
  return `${bytes.length}-${mixed(a ^ bytes.length)}${mixed(b ^ a)}`
}

function mixed(value: number): string {
  let mix = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return ((mix ^ (mix >>> 16)) >>> 0).toString(16).padStart(8, '0')
}
