import { createIndexedDbFs, type IndexedDbFs, type IndexedDbFsOptions } from 'toolport/adapters/indexeddb'
import { expect, onTestFinished } from 'vitest'

const open = new Map<string, IndexedDbFs[]>()

export const newName = (): string => `test-${crypto.randomUUID()}`

/** Closed, and its database deleted, at the end of the test. */
export function indexedDbFs(options: Partial<IndexedDbFsOptions> = {}): IndexedDbFs {
  const name = options.name ?? newName()
  const fs = createIndexedDbFs({ ...options, name })
  const others = open.get(name)
  if (others) others.push(fs)
  else {
    open.set(name, [fs])
    onTestFinished(() => drop(name))
  }
  return fs
}

async function drop(name: string): Promise<void> {
  await Promise.all((open.get(name) ?? []).map((fs) => fs.close().catch(() => undefined)))
  open.delete(name)
  await settled(indexedDB.deleteDatabase(`toolport:${name}`))
}

export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** The database as it is, for looking into it while no adapter has it open. */
export async function inStore<T>(name: string, look: (db: IDBDatabase) => Promise<T>): Promise<T> {
  const db = await settled(indexedDB.open(`toolport:${name}`))
  try {
    return await look(db)
  } finally {
    db.close()
  }
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** No period that a part's size is a multiple of, so that swapped or shifted parts show. */
export function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = (i * 7 + (i >> 8)) % 251
  return bytes
}

/** Quicker than the deep equality of a test framework. */
export const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i])

export const refusal = (code: string, text: string): Error =>
  expect.objectContaining({ name: 'FsError', code, message: expect.stringContaining(text) })

/** The browser's own, with what happens in its transactions changed: each is shown when it is made. */
export function watched(onTransaction: (transaction: IDBTransaction) => void): IDBFactory {
  const request = (name: string, version?: number): IDBOpenDBRequest => {
    const opening = indexedDB.open(name, version)
    opening.addEventListener('success', () => {
      const db = opening.result
      const make = db.transaction.bind(db)
      db.transaction = (...args) => {
        const transaction = make(...args)
        onTransaction(transaction)
        return transaction
      }
    })
    return opening
  }
  return { ...factory(), open: request }
}

const factory = (): IDBFactory => ({
  open: (name, version) => indexedDB.open(name, version),
  deleteDatabase: (name) => indexedDB.deleteDatabase(name),
  cmp: (a, b) => indexedDB.cmp(a, b),
  databases: () => indexedDB.databases(),
})

/** Makes it fail as the browser does: while it ends. */
export function abort(transaction: IDBTransaction): void {
  transaction.commit = () => transaction.abort()
}
