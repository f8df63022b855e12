import { Fault, nameOf } from './fault.js'
import { afterTime, unanswered } from './open-timeout.js'

export interface DatabaseOptions {
  readonly factory: IDBFactory
  readonly name: string
  /** Version to open. Default: the version of the existing database, or 1 for a new database. */
  readonly version?: number
  /** Maximum milliseconds to wait for the browser's answer. `Infinity` waits forever. */
  readonly timeoutMs: number
  readonly upgrade: (db: IDBDatabase, upgrade: IDBTransaction, oldVersion: number) => void
}

/**
 * Opens a database. A database that opens only after the timeout is closed again.
 *
 * @throws {Fault} EBUSY if another page has an older version open; ENOTSUP if the database has a later version, or if this page may not use
 * IndexedDB; EIO if there is no answer in time; ENOSPC
 */
export function openDatabase({ factory, name, version, timeoutMs, upgrade }: DatabaseOptions): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = openRequest(factory, name, version)
    let isGivenUp = false
    const giveUp = (fault: Fault): void => {
      isGivenUp = true
      reject(fault)
    }
    const answered = afterTime(timeoutMs, () => giveUp(new Fault('EIO', unanswered('IndexedDB', timeoutMs))))
    request.onupgradeneeded = ({ oldVersion }) => {
      const { result, transaction } = request
      if (isGivenUp || !transaction) transaction?.abort()
      else upgrade(result, transaction, oldVersion)
    }
    request.onblocked = () => giveUp(new Fault('EBUSY', 'another tab uses it with an older version of this library: close that tab'))
    request.onsuccess = () => {
      answered()
      if (isGivenUp) request.result.close()
      else resolve(request.result)
    }
    request.onerror = () => {
      answered()
      reject(openFault(request.error))
    }
  })
}

function openRequest(factory: IDBFactory, name: string, version: number | undefined): IDBOpenDBRequest {
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

/**
 * Converts an error of the database. A full disk has no error name of its own: Chromium reports it as an UnknownError, or as a DataError
 * for values that it stores in files.
 */
export function databaseFault(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  const message = messageOf(cause)
  if (nameOf(cause) === 'QuotaExceededError') return new Fault('ENOSPC', 'the browser gives this site no more storage', cause)
  if (/no.?space|disk.*full|full.*disk/i.test(message))
    return new Fault('ENOSPC', `the disk is full: make room on it${endsConnection(cause) ? ', and open the storage anew' : ''}`, cause)
  if (/^Failed to write blobs/.test(message))
    return new Fault('ENOSPC', `the browser cannot write to the disk, which is full or broken: ${message}`, cause)
  return new Fault('EIO', `the database failed: ${message}`, cause)
}

/**
 * Returns whether the browser closes the connection with this error. Requests made after it may never be answered, and the `close` event
 * may arrive late.
 */
export const endsConnection = (cause: unknown): boolean => /^Connection is closing\b/i.test(messageOf(cause))

const messageOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'message' in cause ? String(cause.message) : String(cause)
