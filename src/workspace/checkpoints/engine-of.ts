import { lazy } from '../../core/lazy.js'
import { hasCode } from '../../errors/index.js'
import type { FsAdapter } from '../../types/fs.js'
import { type Engine, RESERVED, type Recorder } from './engine.js'

const moments = lazy(() => import('./moments-engine.js'))
const directory = lazy(() => import('./directory-engine.js'))
const journal = lazy(() => import('./journal/journal-engine.js'))

/** The engine of each storage. Workspaces on the same storage share their checkpoints. */
const engines = new WeakMap<FsAdapter, Promise<Engine>>()

/**
 * Returns the storage's engine. A storage with `checkpoint` keeps the checkpoints itself. If other programs may change the files, uses
 * scans and a journal; otherwise only a journal.
 */
export function engineOf(fs: FsAdapter): Promise<Engine> {
  const known = engines.get(fs)
  if (known) return known
  const made = makeEngine(fs)
  engines.set(fs, made)
  made.catch(() => engines.delete(fs))
  return made
}

/** Forgets the checkpoints of a storage. Call after the storage has dropped all its content. */
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

/** Creates the recorder for changes of a storage. The first change waits until the engine has loaded. */
export function recorderOf(fs: FsAdapter): Recorder | undefined {
  if (fs.checkpoint) return undefined
  let ready: Recorder | undefined
  let unused = false
  const told = (tell: (recorder: Recorder) => Promise<void> | undefined): Promise<void> | undefined => {
    if (ready) return tell(ready)
    // A directory without checkpoints needs no recorder, so do not load the engine. `makeCheckpoint` loads it.
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
