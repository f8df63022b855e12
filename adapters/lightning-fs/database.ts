import { databaseFault, openDatabase as open } from '../shared/database.js'
import { Fault } from '../shared/fault.js'
import { answer } from '../shared/idb-requests.js'
import { libraryFault } from '../shared/node-like/library-faults.js'
import { checkSuperblock, newSuperblock, type Superblock } from './superblock.js'

/** The key of the tree in the object store. The key of a file's content is the file's inode number. */
export const ROOT = '!root'

/** Returns the name that the library gives to the object store of a database. */
export const storeOf = (name: string): string => `${name}_files`

export interface OpeningOptions {
  /** The name that the library gives to the database. */
  readonly name: string
  readonly factory: IDBFactory
  readonly openTimeoutMs: number
}

/**
 * Opens the database. If there is none, creates it as the library does.
 *
 * @throws {Fault} ENOTSUP for a database of another program; or like `adapters/shared/database`
 */
export async function openDatabase({ factory, name, openTimeoutMs }: OpeningOptions): Promise<IDBDatabase> {
  const upgrade = (db: IDBDatabase): void => void db.createObjectStore(storeOf(name))
  const db = await open({ factory, name, timeoutMs: openTimeoutMs, upgrade })
  if (db.objectStoreNames.contains(storeOf(name))) return db
  db.close()
  throw new Fault('ENOTSUP', `the database "${name}" of this site is not one of lightning-fs: choose another name`)
}

/** Returns the stored tree, or a new tree if none is stored. @throws {Fault} EIO for a damaged tree */
export async function loadTree(store: IDBObjectStore, now: () => number): Promise<Superblock> {
  const stored: unknown = await answer(store.get(ROOT))
  return stored === undefined ? newSuperblock(now()) : checkSuperblock(stored)
}

/** Deletes a database. @throws {Fault} EBUSY if another page has it open */
export function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Fault('EBUSY', 'another page has it open'))
  })
}

/** Converts an error of the database or the library. */
export const faultOf = (cause: unknown): Fault =>
  Object.prototype.toString.call(cause) === '[object DOMException]' ? databaseFault(cause) : libraryFault(cause)
