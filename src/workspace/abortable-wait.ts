/**
 * Returns the result of `body`, which calls `begin` once it stops waiting and starts its work. Until then the signal ends the wait at once.
 * From then on the body handles the signal itself, because it has to finish its work.
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
