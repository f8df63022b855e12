import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { DurableStorageLike, SqlValue } from 'toolport/adapters/cloudflare'
import { expect, it } from 'vitest'

declare global {
  namespace Cloudflare {
    interface Env {
      AGENT: DurableObjectNamespace
      KEY_VALUE_AGENT: DurableObjectNamespace
    }
  }
}

/** A test whose body runs inside its own Durable Object, because only the object can use its storage. */
export function inside(title: string, body: (storage: DurableObjectStorage) => void | Promise<void>, timeout = 180_000): void {
  const run = (): Promise<void> => runInDurableObject(env.AGENT.get(env.AGENT.newUniqueId()), (_, { storage }) => body(storage))
  it(title, { timeout }, run)
}

/** The object's storage, which reports each statement before it runs. */
export function watched(storage: DurableObjectStorage, onExec: (query: string, bindings: readonly unknown[]) => void): DurableStorageLike {
  return {
    sql: {
      exec(query, ...bindings) {
        onExec(query, bindings)
        return storage.sql.exec(query, ...bindings)
      },
    },
    transactionSync: (closure) => storage.transactionSync(closure),
    sync: () => storage.sync(),
  }
}

export const count = ({ sql }: DurableObjectStorage, table: string): SqlValue | undefined =>
  sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n

export const MIB = 1024 * 1024

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Bytes whose period does not divide a chunk's size, so that swapped or shifted chunks are noticed. */
export function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = (i * 7 + (i >> 8)) % 251
  return bytes
}

/** Faster than the deep equality of a test framework. */
export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

export function refusal(code: string, text: string): Error {
  return expect.objectContaining({ name: 'FsError', code, message: expect.stringContaining(text) })
}
