import { Fault, nameOf } from '../shared/fault.js'
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

/**
 * Opens the database and brings it up to date.
 *
 * @throws {Fault} EBUSY: another page holds an older version open. ENOTSUP: a later version, or none at all in this page
 */
export function openDatabase(
  factory: IDBFactory,
  name: string,
  now: () => number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = openRequest(factory, name, migrations.length)
    let isGivenUp = false
    request.onupgradeneeded = ({ oldVersion }) => {
      const { result, transaction } = request
      if (isGivenUp || !transaction) transaction?.abort()
      else for (const migration of migrations.slice(oldVersion)) migration(result, transaction, now())
    }
    request.onblocked = () => {
      isGivenUp = true
      reject(new Fault('EBUSY', 'another tab uses it with an older version of this library: close that tab'))
    }
    request.onsuccess = () => {
      if (isGivenUp) request.result.close()
      else resolve(request.result)
    }
    request.onerror = () => reject(openFault(request.error))
  })
}

function openRequest(factory: IDBFactory, name: string, version: number): IDBOpenDBRequest {
  try {
    return factory.open(name, version)
  } catch (cause) {
    throw openFault(cause)
  }
}

function openFault(cause: unknown): unknown {
  switch (nameOf(cause)) {
    case 'VersionError':
      return new Fault('ENOTSUP', 'a later version of this library made it: update the library', cause)
    case 'SecurityError':
    case 'InvalidStateError':
      return new Fault('ENOTSUP', 'this page may not use IndexedDB: private browsing, blocked site data or a sandboxed frame', cause)
    default:
      return cause
  }
}
