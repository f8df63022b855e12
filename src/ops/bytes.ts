export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Copies the parts into one array, in order. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/**
 * An array for `size` bytes that begins with the first `used` of these: the same array if it is large enough, else a new one, half as
 * large again, so that content that grows in small steps is not copied at each step.
 */
export function growBytes(bytes: Uint8Array, used: number, size: number): Uint8Array {
  if (bytes.length >= size) return bytes
  const larger = new Uint8Array(Math.ceil(size * 1.5))
  larger.set(bytes.subarray(0, used))
  return larger
}
