/** The answer of one request. */
export function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Resolves when the transaction is complete. Rejects when it was rolled back: then nothing of it is in the store. */
export function completion(transaction: IDBTransaction): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
  })
  // Whoever waits for it may still be waiting for a request: it is not unhandled until then.
  done.catch(() => undefined)
  return done
}
