import { lazy } from '../../core/lazy.js'
import { hasCode } from '../../errors/index.js'
import type { FsAdapter } from '../../types/fs.js'
import { type Engine, RESERVED, type Recorder } from './engine.js'

const moments = lazy(() => import('./moments-engine.js'))
const directory = lazy(() => import('./directory-engine.js'))
const journal = lazy(() => import('./journal/journal-engine.js'))

/** One engine per storage: several workspaces on it share their checkpoints. */
const engines = new WeakMap<FsAdapter, Promise<Engine>>()

/** Chooses the engine: the storage's own moments; scans and a journal if others may change files; else a journal alone. */
export function engineOf(fs: FsAdapter): Promise<Engine> {
  const known = engines.get(fs)
  if (known) return known
  const made = makeEngine(fs)
  engines.set(fs, made)
  made.catch(() => engines.delete(fs))
  return made
}

/** For a storage that has dropped all its content. */
export async function forgetCheckpoints(fs: FsAdapter): Promise<void> {
  const engine = await engines.get(fs)?.catch(() => undefined)
  engine?.forget?.()
}

async function makeEngine(fs: FsAdapter): Promise<Engine> {
  const { checkpoint } = fs
  if (checkpoint) return new (await moments()).MomentsEngine(() => checkpoint.call(fs))
  if (fs.hostPath) return new (await directory()).DirectoryEngine(fs)
  return new (await journal()).JournalEngine(fs)
}

/** The recorder of changes of a storage: the first change waits for its engine. */
export function recorderOf(fs: FsAdapter): Recorder | undefined {
  if (fs.checkpoint) return undefined
  let ready: Recorder | undefined
  let unused = false
  const told = (tell: (recorder: Recorder) => Promise<void> | undefined): Promise<void> | undefined => {
    if (ready) return tell(ready)
    // A directory gets its first checkpoint through its engine, so nothing has to load before.
    if (fs.hostPath && !engines.has(fs)) {
      if (unused) return undefined
      return isUsed(fs).then((used) => {
        unused = !used
        return used ? engineOf(fs).then(() => told(tell)) : undefined
      })
    }
    return engineOf(fs).then(({ recorder }) => {
      ready = recorder
      return recorder && tell(recorder)
    })
  }
  return {
    entry: (path) => told((recorder) => recorder.entry(path)),
    tree: (path) => told((recorder) => recorder.tree(path)),
    rename: (from, to) => told((recorder) => recorder.rename(from, to)),
  }
}

async function isUsed(fs: FsAdapter): Promise<boolean> {
  try {
    await fs.lstat(`/${RESERVED}`)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
