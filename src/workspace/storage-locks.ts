import type { FsAdapter } from '../types/fs.js'
import { PathLocks } from './locks.js'
import { tableOf } from './mounts/mounted-storages.js'
import type { VirtualFs } from './virtual-fs.js'

/** Shared by all workspaces of the process: two of them may use the same storage, or one directory under two roots. */
const shared = new PathLocks()
const ids = new WeakMap<FsAdapter, number>()
let lastId = 0

/** Locks on virtual paths that apply to every workspace on the same storage. */
export class StorageLocks {
  readonly #fs: VirtualFs

  constructor(fs: VirtualFs) {
    this.#fs = fs
  }

  /** Resolves to the function that releases all of them. */
  acquire(paths: readonly string[]): Promise<() => void> {
    return shared.acquire(paths.flatMap((path) => keysOf(this.#fs.adapter, this.#fs.toAdapter(path))))
  }
}

/** The path in its own storage, and every storage that is mounted below it. */
function keysOf(fs: FsAdapter, path: string): string[] {
  const table = tableOf(fs)
  if (!table) return [keyOf(fs, path)]
  const { mount, inner } = table.place(path)
  return [...keysOf(mount.fs, inner), ...table.below(path).flatMap((below) => keysOf(below.fs, '/'))]
}

/** The unique key of a file: its machine path, if it has one. No path of a storage contains NUL. */
function keyOf(fs: FsAdapter, path: string): string {
  if (fs.hostPath) return `/\0host/${fs.hostPath(path).replaceAll('\\', '/').replace(/\/$/, '')}`
  const id = ids.get(fs) ?? ++lastId
  ids.set(fs, id)
  return `/\0${id}${path === '/' ? '' : path}`
}
