import { Fault, nameOf } from '../shared/fault.js'
import { libraryFault } from '../shared/node-like/library-faults.js'
import { answer } from '../shared/requests.js'
import { checkSuperblock, newSuperblock, type Superblock } from './superblock.js'

/** The key of the tree; the contents of files are under their numbers. */
export const ROOT = '!root'

/** What the library names the store of its database. */
export const storeOf = (name: string): string => `${name}_files`

/**
 * Opens the database as the library makes it.
 *
 * @throws {Fault} ENOTSUP: none in this page, or one that is not the library's. EBUSY: another page is deleting it
 */
export function openDatabase(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = openRequest(factory, name)
    request.onupgradeneeded = () => void request.result.createObjectStore(storeOf(name))
    request.onsuccess = () => {
      const db = request.result
      if (db.objectStoreNames.contains(storeOf(name))) return resolve(db)
      db.close()
      reject(new Fault('ENOTSUP', `the database "${name}" of this site is not one of lightning-fs: choose another name`))
    }
    request.onerror = () => reject(openFault(request.error))
  })
}

function openRequest(factory: IDBFactory, name: string): IDBOpenDBRequest {
  try {
    return factory.open(name)
  } catch (cause) {
    throw openFault(cause)
  }
}

function openFault(cause: unknown): unknown {
  switch (nameOf(cause)) {
    case 'SecurityError':
    case 'InvalidStateError':
      return new Fault('ENOTSUP', 'this page may not use IndexedDB: private browsing, blocked site data or a sandboxed frame', cause)
    default:
      return cause
  }
}

/** @throws {Fault} EIO for a tree that is damaged */
export async function loadTree(store: IDBObjectStore, now: () => number): Promise<Superblock> {
  const stored: unknown = await answer(store.get(ROOT))
  return stored === undefined ? newSuperblock(now()) : checkSuperblock(stored)
}

/** @throws {Fault} EBUSY: somebody has it open */
export function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Fault('EBUSY', 'another page has it open'))
  })
}

/** Reads what the database or the library threw. */
export function faultOf(cause: unknown): Fault {
  if (nameOf(cause) === 'QuotaExceededError') return new Fault('ENOSPC', 'the browser gives this site no more storage', cause)
  if (Object.prototype.toString.call(cause) === '[object DOMException]') {
    return new Fault('EIO', `the database failed: ${String((cause as DOMException).message)}`, cause)
  }
  return libraryFault(cause)
}
