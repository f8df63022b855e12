/**
 * An array for `size` bytes that begins with the first `used` of these: the same one where it has the room, else a new one with half as
 * much again, so that a content that grows in small steps is not copied at each of them.
 */
export function grown(bytes: Uint8Array, used: number, size: number): Uint8Array {
  if (bytes.length >= size) return bytes
  const room = new Uint8Array(Math.ceil(size * 1.5))
  room.set(bytes.subarray(0, used))
  return room
}
