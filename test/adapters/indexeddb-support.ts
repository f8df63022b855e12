import { createIndexedDbFs, type IndexedDbFs, type IndexedDbFsOptions } from 'toolport/adapters/indexeddb'
import { byName, settled } from './browser-storages.js'

export { isSame, pattern, refusal, settled, utf8 } from './browser-storages.js'

export const newName = (): string => `test-${crypto.randomUUID()}`

/** A storage that is closed, and its database deleted, at the end of the test. */
export const indexedDbFs: (options?: Partial<IndexedDbFsOptions>) => IndexedDbFs = byName(newName, createIndexedDbFs, (name) =>
  settled(indexedDB.deleteDatabase(`toolport:${name}`)),
)

/** Opens the raw database, while no adapter has it open. */
export async function inStore<T>(name: string, look: (db: IDBDatabase) => Promise<T>): Promise<T> {
  const db = await settled(indexedDB.open(`toolport:${name}`))
  try {
    return await look(db)
  } finally {
    db.close()
  }
}

/** The browser's IndexedDB, which reports each new transaction so that a test can change it. */
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

/** Makes the transaction fail when it commits, as a browser may do. */
export function abort(transaction: IDBTransaction): void {
  transaction.commit = () => transaction.abort()
}
