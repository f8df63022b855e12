import { closeSync, constants } from 'node:fs'
import { type Access, withPin } from './access.js'
import { errnoOf } from './faults.js'
import { fsync as forceOut } from './syscalls.js'

/** Tracks changes that are not yet synced to the disk. */
export interface Durability {
  /** Call after a change, with the entries whose content or listing has changed. With `fsync: true`, syncs these entries at once. */
  changed(access: Access, ...paths: string[]): Promise<void>
  /** Call after a rename. Tracks the paths below `from` as paths below `to`. */
  moved(from: string, to: string): void
  /** Call after a directory was removed. Stops tracking its path. */
  removed(path: string): void
  flush(access: Access): Promise<void>
}

const AT_ONCE = 4

/** When to sync changes. `true`: before each change is acknowledged. `false`: on `flush`. `never`: when the operating system decides to. */
export type Fsync = boolean | 'never'

export function createDurability(fsync: Fsync): Durability {
  const dirty = new Set<string>()

  async function sync(access: Access, paths: readonly string[]): Promise<void> {
    let next = 0
    async function worker(): Promise<void> {
      for (let path = paths[next++]; path !== undefined; path = paths[next++]) await syncPath(access, path)
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, paths.length) }, worker))
  }

  return {
    async changed(access, ...paths) {
      if (fsync === 'never') return
      if (fsync) return sync(access, paths)
      for (const path of paths) dirty.add(path)
    },
    moved(from, to) {
      for (const path of [...dirty]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue
        dirty.delete(path)
        dirty.add(to + path.slice(from.length))
      }
    },
    removed(path) {
      dirty.delete(path)
    },
    async flush(access) {
      const paths = [...dirty]
      dirty.clear()
      try {
        await sync(access, paths)
      } catch (cause) {
        // It is not known which paths reached the disk, so the next flush syncs all of them again.
        for (const path of paths) dirty.add(path)
        throw cause
      }
    },
  }
}

async function syncPath(access: Access, path: string): Promise<void> {
  try {
    await withPin(access, path, async (pin) => {
      if (!pin.stat.isFile() && !pin.stat.isDirectory()) return
      const fd = await pin.open(constants.O_RDONLY)
      try {
        await forceOut(fd)
      } finally {
        closeSync(fd)
      }
    })
  } catch (cause) {
    // The entry was removed or replaced, so it needs no sync. For directories, Windows reports EPERM and EISDIR, and file systems that
    // cannot sync a directory report EINVAL.
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EBUSY', 'EPERM', 'EISDIR', 'EINVAL', 'EACCES'].includes(errnoOf(cause))) throw cause
  }
}
