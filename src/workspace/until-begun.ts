/**
 * The result of the body, which says when it has waited enough and begins. Until then a signal ends the wait at once; after that it is for
 * the body to stop, because what it began has to be brought to an end.
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
