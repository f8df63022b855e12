/**
 * Returns the result of the body. The body calls back when it stops waiting and begins. Before that a signal ends the wait at once. After
 * that the body handles the signal itself, because it has to finish what it began.
 */
export function untilBegun<T>(signal: AbortSignal | undefined, body: (begin: () => void) => Promise<T>): Promise<T> {
  if (!signal) return body(() => undefined)
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    const begin = (): void => {
      signal.removeEventListener('abort', stop)
      signal.throwIfAborted()
    }
    signal.addEventListener('abort', stop)
    body(begin)
      .finally(() => signal.removeEventListener('abort', stop))
      .then(resolve, reject)
    if (signal.aborted) stop()
  })
}
