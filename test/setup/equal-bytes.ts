import { expect } from 'vitest'

/** Bytes that are the same are found so at once: vitest compares a megabyte of them, one by one, in seconds. */
function sameBytes(a: unknown, b: unknown): true | undefined {
  if (!(a instanceof Uint8Array && b instanceof Uint8Array) || a.constructor !== b.constructor || a.length !== b.length) return undefined
  return a.every((byte, i) => byte === b[i]) || undefined
}

expect.addEqualityTesters([sameBytes])
