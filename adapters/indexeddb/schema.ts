import { openDatabase as open } from '../shared/database.js'
import { newRoot } from './nodes.js'

/** The store of content parts, by the ids in the nodes of files. */
export const PARTS = 'parts'
/** The store of index changes: one or more records per transaction, in order. */
export const JOURNAL = 'journal'

export type Migration = (db: IDBDatabase, upgrade: IDBTransaction, now: number) => void

/**
 * Updates the database to the next version. There is one migration per version, oldest first. Never change a published migration: add a new
 * one.
 */
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

/** @throws {Fault} like `adapters/shared/database` */
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
