/**
 * Returns the result of `body`, which first waits and calls `begin` when its work starts. Until then, an abort rejects at once. From then
 * on, `body` handles the signal itself, because it has to finish its work.
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
