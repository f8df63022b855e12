import { expect } from 'vitest'

/** Compares equal byte arrays quickly. Vitest compares the bytes one by one, which takes seconds per megabyte. */
function sameBytes(a: unknown, b: unknown): true | undefined {
  if (!(a instanceof Uint8Array && b instanceof Uint8Array) || a.constructor !== b.constructor || a.length !== b.length) return undefined
  return a.every((byte, i) => byte === b[i]) || undefined
}

expect.addEqualityTesters([sameBytes])
