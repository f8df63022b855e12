import { Fault } from './fault.js'

/** Returns the IndexedDB of the page, if any. @throws {Fault} `ENOTSUP` if the page may not use it */
export function pageFactory(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB
  } catch (cause) {
    throw new Fault('ENOTSUP', 'this page may not use IndexedDB', cause)
  }
}

/** Resolves to the result of a request. */
export function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Resolves when the transaction is complete. Rejects if it was rolled back and changed nothing. */
export function completion(transaction: IDBTransaction): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
  })
  // The caller may still wait for a request, so the rejection must not count as unhandled.
  done.catch(() => undefined)
  return done
}
