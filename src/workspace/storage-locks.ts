import type { FsAdapter } from '../types/fs.js'
import { PathLocks } from './locks.js'
import { tableOf } from './mounts/tables.js'
import type { VirtualFs } from './virtual-fs.js'

/** All workspaces of the process share them: two of them may have the same storage, or one directory in two roots. */
const shared = new PathLocks()
const ids = new WeakMap<FsAdapter, number>()
let lastId = 0

/** Locks on virtual paths, which hold for every workspace that reaches the same file. */
export class StorageLocks {
  readonly #fs: VirtualFs

  constructor(fs: VirtualFs) {
    this.#fs = fs
  }

  /** Resolves with the function that lets go of all of them. */
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

/** One name for a file, however it is reached: on the machine its path there. NUL is in no path of a storage. */
function keyOf(fs: FsAdapter, path: string): string {
  if (fs.hostPath) return `/\0host/${fs.hostPath(path).replaceAll('\\', '/').replace(/\/$/, '')}`
  const id = ids.get(fs) ?? ++lastId
  ids.set(fs, id)
  return `/\0${id}${path === '/' ? '' : path}`
}
