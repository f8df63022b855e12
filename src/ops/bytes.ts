import type { Steps } from './steps.js'

/** Bytes compared in one step. */
const SLICE = 1 << 20

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && agreeing(a, b, 0, a.length) === a.length)
}

/** Counts the bytes at the start that both contents share. Runs in steps. */
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

/** Concatenates the parts. */
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
 * Returns an array of at least `size` bytes that starts with the first `used` bytes. Reuses the array if it is large enough; otherwise
 * grows by half, so that content that grows in small steps is not copied at each step.
 */
export function growBytes(bytes: Uint8Array, used: number, size: number): Uint8Array {
  if (bytes.length >= size) return bytes
  const larger = new Uint8Array(Math.ceil(size * 1.5))
  larger.set(bytes.subarray(0, used))
  return larger
}
