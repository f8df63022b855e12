/** Content with more behind it than it has: what comes after it is added in place. Of a node alone: whoever else has it gets a copy (`exactly`). */
const made = new WeakSet<ArrayBufferLike>()

/** Of one file. In bytes. */
const MOST_SPARE = 4 * 2 ** 20
/** Of the room that is left. */
const PART = 8

/** How much more there may be behind content of `size` bytes, where so much room is left beside it: at most as much as there is. */
export const spareFor = (size: number, left: number): number => Math.max(0, Math.min(size, MOST_SPARE, Math.floor(left / PART)))

export const isGrowing = (bytes: Uint8Array): boolean => made.has(bytes.buffer)

/** What it takes. */
export const capacityOf = (bytes: Uint8Array): number => (isGrowing(bytes) ? bytes.buffer.byteLength : bytes.length)

/** For others: nobody changes it any more. */
export const exactly = (bytes: Uint8Array): Uint8Array => (isGrowing(bytes) ? bytes.slice() : bytes)

/**
 * Content of `size` bytes: what was there, with other bytes from somewhere on, and nothing between. It is made in place where nobody else can have it
 * and it fits; what was there is not to be used any more.
 *
 * @param spare asked for where it does not fit: how many bytes more there may be behind it
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
