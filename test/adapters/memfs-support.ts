import { memfs } from 'memfs'
import type { NodeFsLike, NodePromisesLike } from 'toolport/adapters/memfs'
import { expect } from 'vitest'

type Method = (...args: unknown[]) => unknown

/** A new library whose calls all go through `call`, which may change or skip them. */
export function watched(call: (method: string, run: () => unknown, args: readonly unknown[]) => unknown): NodeFsLike {
  const { promises } = memfs().fs
  return {
    promises: new Proxy(promises as NodePromisesLike, {
      get: (target, key) => {
        const method = Reflect.get(target, key) as Method
        return (...args: unknown[]) => call(String(key), () => method.apply(target, args), args)
      },
    }),
  }
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export const refusal = (code: string, part = ''): Error =>
  expect.objectContaining({ name: 'FsError', code, message: expect.stringContaining(part) })
