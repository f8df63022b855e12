import type { FsAdapter } from '../../src/types/fs.js'

const tails = new WeakMap<FsAdapter, Map<string, Promise<unknown>>>()

/** Runs the body after all earlier bodies for the same directory of the same storage, even those of other `createGit` calls. */
export function withRepositoryLock<T>(fs: FsAdapter, dir: string, body: () => Promise<T>): Promise<T> {
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
