import type { FsAdapter } from '../types/fs.js'
import { PathLocks } from './locks.js'
import { tableOf } from './mounts/mounted-storages.js'
import type { VirtualFs } from './virtual-fs.js'

/** All workspaces of the process share these locks: two workspaces may use the same storage, or one directory under two roots. */
const shared = new PathLocks()
const ids = new WeakMap<FsAdapter, number>()
let lastId = 0

/** Locks on virtual paths that apply to every workspace on the same storage. */
export class StorageLocks {
  readonly #fs: VirtualFs

  constructor(fs: VirtualFs) {
    this.#fs = fs
  }

  /** Takes the locks of all paths. Resolves to the function that releases them. */
  acquire(paths: readonly string[]): Promise<() => void> {
    return shared.acquire(paths.flatMap((path) => keysOf(this.#fs.adapter, this.#fs.toAdapter(path))))
  }
}

/** Returns the lock keys of a path: one for the path in its own storage, and one for every storage that is mounted below the path. */
function keysOf(fs: FsAdapter, path: string): string[] {
  const table = tableOf(fs)
  if (!table) return [keyOf(fs, path)]
  const { mount, inner } = table.place(path)
  return [...keysOf(mount.fs, inner), ...table.below(path).flatMap((below) => keysOf(below.fs, '/'))]
}

/**
 * Returns the lock key of a path: its path on the machine if the storage provides one, else the storage's id and the path. The first
 * segment contains NUL, which never occurs in a path of a storage.
 */
function keyOf(fs: FsAdapter, path: string): string {
  if (fs.hostPath) return `/\0host/${fs.hostPath(path).replaceAll('\\', '/').replace(/\/$/, '')}`
  const id = ids.get(fs) ?? ++lastId
  ids.set(fs, id)
  return `/\0${id}${path === '/' ? '' : path}`
}
