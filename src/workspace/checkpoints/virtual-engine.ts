import { FsError } from '../../errors/index.js'
import type { View } from '../state.js'
import { type Engine, RESERVED } from './engine.js'

/** Returns the engine of a workspace's storage. Its errors have virtual paths, and never name the checkpoint folder. */
export async function engineIn(view: View): Promise<Engine> {
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw toVirtual(view, error)
    }
  }
  const engine = await view.tree.checkpoints()
  return {
    list: () => told(() => engine.list()),
    reusable: (scan) => told(() => engine.reusable(scan)),
    make: (wanted) => told(() => engine.make(wanted)),
    // Ignore failures: a later `trim` drops the checkpoint, and the request itself has succeeded.
    trim: (limits) => engine.trim(limits).catch(() => undefined),
    diff: (from, to, host, first) => told(() => engine.diff(from, to, host, first)),
    stat: (at, path) => told(() => engine.stat(at, path)),
    read: (at, path) => told(() => engine.read(at, path)),
    ...(engine.lacks && { lacks: (at, paths) => told(async () => engine.lacks?.(at, paths) ?? false) }),
    ...(engine.lost && { lost: () => engine.lost?.() ?? [] }),
    held: () => told(() => engine.held()),
  }
}

function toVirtual({ tree: { fs } }: View, error: unknown): unknown {
  if (!FsError.is(error)) return error
  const { code, path, detail, cause } = error
  const isOwn = path === `/${RESERVED}` || path.startsWith(`/${RESERVED}/`)
  const why = detail ?? (isOwn && code === 'ENOSPC' ? 'there is no space for checkpoints' : undefined)
  return new FsError({
    code,
    op: isOwn ? 'keep checkpoints of' : error.op,
    path: isOwn ? fs.root : fs.toVirtual(path),
    ...(why !== undefined && { detail: why }),
    cause: cause ?? error,
  })
}
