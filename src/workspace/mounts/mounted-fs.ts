import { lazy } from '../../core/lazy.js'
import { FsError } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import type { FsAdapter, FsCapabilities } from '../../types/fs.js'
import type { Mounts } from '../../types/workspace.js'
import type { CombinedFs } from './combined-fs.js'
import { type Mount, MountTable, storageOf } from './mount-table.js'
import { setTable } from './mounted-storages.js'
import { parseMounts } from './parse-mounts.js'

/** Loads on first use: most workspaces have no mounts. */
const combining = lazy(() => import('./combined-fs.js'))

/** Options of `createMountedFs`. */
export interface MountedFsOptions {
  /** The storage of all paths outside the mounts. */
  readonly fs: FsAdapter
  /** Maps a path from the root (`docs`, `data/raw`) to another storage. */
  readonly mounts: Mounts
}

/**
 * Combines several storages into one. The longest mount point wins, and hides what its parent storage has at that path. Directories above
 * mount points exist, whether their storage has them or not. Nobody can remove, move or replace a mount point or a directory above one
 * (EBUSY). `rename` between storages fails with EXDEV (a workspace then copies and removes). A read-only mount fails with EROFS.
 *
 * `can` lists what all storages support. A single entry may have more: `mode` is present if its own storage keeps it. `symlink`, `readlink`
 * and `setMeta` exist if one storage has them, and fail with ENOTSUP on the others; `usage` and `checkpoint` exist if all storages have
 * them.
 *
 * @throws {TypeError} for invalid mounts: at the root, duplicate, outside, or the same storage twice
 */
export function createMountedFs(options: MountedFsOptions): FsAdapter {
  const fs = required('createMountedFs', 'the option "fs", an FsAdapter', options?.fs, 'readdir')
  return mountedFs(fs, parseMounts(fs, required('createMountedFs', 'the option "mounts", FsAdapters by path', options.mounts), '/'))
}

export function mountedFs(fs: FsAdapter, mounts: readonly Mount[]): FsAdapter {
  const table = new MountTable({ at: '/', label: '/', fs, readOnly: false }, mounts)
  const storages = table.all.map((mount) => mount.fs)
  const can = weakest(storages.map((storage) => storage.can))
  const some = (method: keyof FsAdapter): boolean => storages.some((storage) => storage[method] !== undefined)
  const every = (method: keyof FsAdapter): boolean => storages.every((storage) => storage[method] !== undefined)
  let ready: CombinedFs | undefined
  const load = async (): Promise<CombinedFs> => {
    const { combinedFs } = await combining()
    ready ??= combinedFs(table, can)
    return ready
  }
  /**
   * Returns a method that loads the implementation on first use. Copies byte arrays before that, because the caller may reuse them. After
   * loading, calls the implementation directly.
   */
  const call = <M extends keyof CombinedFs>(method: M): CombinedFs[M] => {
    type Call = (...args: unknown[]) => Promise<unknown>
    const called: Call = (...args) => {
      if (ready) return (ready[method] as Call)(...args)
      const own = args.map((each) => (each instanceof Uint8Array ? new Uint8Array(each) : each))
      return load().then((loaded) => (loaded[method] as Call)(...own))
    }
    return called as CombinedFs[M]
  }
  const combined: FsAdapter = {
    name: storages.map(({ name }) => name).join(' + '),
    can,
    ...(fs.suggestedRoot !== undefined && { suggestedRoot: fs.suggestedRoot }),
    open: call('open'),
    flush: call('flush'),
    close: call('close'),
    lstat: call('lstat'),
    readdir: call('readdir'),
    read: call('read'),
    write: call('write'),
    mkdir: call('mkdir'),
    unlink: call('unlink'),
    rmdir: call('rmdir'),
    rename: call('rename'),
    append: call('append'),
    copy: call('copy'),
    rmTree: call('rmTree'),
    ...(some('readlink') && { readlink: call('readlink') }),
    ...(some('symlink') && { symlink: call('symlink') }),
    ...(some('setMeta') && { setMeta: call('setMeta') }),
    ...(some('checkWrite') && { checkWrite: call('checkWrite') }),
    ...(every('usage') && { usage: call('usage') }),
    ...(every('checkpoint') && { checkpoint: call('checkpoint') }),
    ...(fs.hostPath && { hostPath: (path: string) => hostPath(table, path) }),
  }
  setTable(combined, table)
  return combined
}

function hostPath(table: MountTable, path: string): string {
  const { mount, inner } = table.place(path)
  if (mount.fs.hostPath) return mount.fs.hostPath(inner)
  const detail = `${storageOf(mount)} is not a directory of this machine`
  throw new FsError({ code: 'ENOTSUP', op: 'use a shell of this machine in', path, detail })
}

const PERSISTENCE = ['memory', 'best-effort', 'durable'] as const

/** The capabilities that all storages have. */
function weakest(all: readonly FsCapabilities[]): FsCapabilities {
  const every = (has: (can: FsCapabilities) => boolean): boolean => all.every(has)
  return {
    mode: every(({ mode }) => mode),
    atomicReplace: every(({ atomicReplace }) => atomicReplace),
    dirRename: every(({ dirRename }) => dirRename),
    durableOnAck: every(({ durableOnAck }) => durableOnAck),
    caseSensitive: every(({ caseSensitive }) => caseSensitive),
    raceSafe: every(({ raceSafe }) => raceSafe),
    persistence: PERSISTENCE[Math.min(...all.map(({ persistence }) => PERSISTENCE.indexOf(persistence)))] ?? 'memory',
  }
}
