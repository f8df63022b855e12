/** Buffers with spare room, so that appending needs no copy. Only a node may hold such a buffer. Everyone else gets a copy (`exactly`). */
const made = new WeakSet<ArrayBufferLike>()

/** Maximum number of spare bytes in the buffer of one file. */
const MOST_SPARE = 4 * 2 ** 20
/** Inverse of the maximum fraction (1/8) of the remaining memory that spare room may take. */
const PART = 8

/** Returns the number of spare bytes for content of `size` bytes, if `left` bytes of memory remain. At most doubles the content. */
export const spareFor = (size: number, left: number): number => Math.max(0, Math.min(size, MOST_SPARE, Math.floor(left / PART)))

export const isGrowing = (bytes: Uint8Array): boolean => made.has(bytes.buffer)

/** Returns the number of bytes that the content occupies in memory, including spare room. */
export const capacityOf = (bytes: Uint8Array): number => (isGrowing(bytes) ? bytes.buffer.byteLength : bytes.length)

/** Returns content that no later write changes, for use outside of the node. */
export const exactly = (bytes: Uint8Array): Uint8Array => (isGrowing(bytes) ? bytes.slice() : bytes)

/**
 * Returns content of `size` bytes: `before` with `bytes` written at `from`, and zeros in a gap. Reuses the buffer of `before` if it has
 * spare room, so `before` must not be used after this call.
 *
 * @param spare called if the buffer is too small. Returns the number of spare bytes for the new buffer
 */
export function withBytes(before: Uint8Array, size: number, from: number, bytes: Uint8Array, spare: () => number): Uint8Array {
  const all =
    isGrowing(before) && size <= before.buffer.byteLength ? new Uint8Array(before.buffer, 0, size) : enlarged(before, size, spare())
  all.fill(0, before.length, Math.max(before.length, from))
  all.set(bytes, from)
  return all
}

function enlarged(before: Uint8Array, size: number, spare: number): Uint8Array {
  const buffer = new ArrayBuffer(size + spare)
  made.add(buffer)
  const all = new Uint8Array(buffer, 0, size)
  all.set(before)
  return all
}
