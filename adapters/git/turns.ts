import type { FsAdapter } from '../../src/types/fs.js'

const tails = new WeakMap<FsAdapter, Map<string, Promise<unknown>>>()

/** Runs the body after all earlier ones on the same directory of the same storage, whichever `createGit` they came from. */
export function inTurn<T>(fs: FsAdapter, dir: string, body: () => Promise<T>): Promise<T> {
  const ofStorage = tails.get(fs) ?? new Map<string, Promise<unknown>>()
  tails.set(fs, ofStorage)
  const turn = (ofStorage.get(dir) ?? Promise.resolve()).then(body)
  const tail = turn.then(
    () => undefined,
    () => undefined,
  )
  ofStorage.set(dir, tail)
  void tail.then(() => {
    if (ofStorage.get(dir) === tail) ofStorage.delete(dir)
  })
  return turn
}

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
