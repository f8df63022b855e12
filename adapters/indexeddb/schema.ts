import { openDatabase as open } from '../shared/database.js'
import { newRoot } from './nodes.js'

/** Content, under the ids that the files' nodes name. */
export const PARTS = 'parts'
/** What each transaction changed of the index, in order. */
export const JOURNAL = 'journal'

export type Migration = (db: IDBDatabase, upgrade: IDBTransaction, now: number) => void

/** What each version of the database adds to the one before, oldest first. Never change one that was published: add another. */
export const MIGRATIONS: readonly Migration[] = [
  (db, _, now) => {
    db.createObjectStore(PARTS)
    db.createObjectStore(JOURNAL, { autoIncrement: true }).add([newRoot(now)])
  },
]

export interface OpeningOptions {
  readonly name: string
  readonly now: () => number
  readonly factory: IDBFactory
  readonly openTimeoutMs: number
}

/** @throws {Fault} as `adapters/shared/database` does */
export const openDatabase = (
  { factory, name, now, openTimeoutMs }: OpeningOptions,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<IDBDatabase> =>
  open({
    factory,
    name,
    version: migrations.length,
    timeoutMs: openTimeoutMs,
    upgrade: (db, upgrade, oldVersion) => {
      for (const migration of migrations.slice(oldVersion)) migration(db, upgrade, now())
    },
  })
