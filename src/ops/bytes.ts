import type { Steps } from './steps.js'

/** So many bytes are compared in one step. */
const SLICE = 1 << 20

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && agreeing(a, b, 0, a.length) === a.length)
}

/** With how many bytes in common two contents begin. */
export function* commonStart(a: Uint8Array, b: Uint8Array): Steps<number> {
  const end = Math.min(a.length, b.length)
  for (let at = 0; at < end; yield) {
    const to = Math.min(at + SLICE, end)
    at = agreeing(a, b, at, to)
    if (at < to) return at
  }
  return end
}

function agreeing(a: Uint8Array, b: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && a[at] === b[at]) at++
  return at
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
