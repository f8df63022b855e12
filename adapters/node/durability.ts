import { closeSync, constants } from 'node:fs'
import { type Access, withPin } from './access.js'
import { errnoOf } from './faults.js'
import { fsync as forceOut } from './syscalls.js'

/** Knows what was changed and not yet forced to the disk. */
export interface Durability {
  /** Call after a change, with the entries whose content or listing changed. Forces them out at once with `fsync: true`. */
  changed(access: Access, ...paths: string[]): Promise<void>
  /** Call after a rename: what was noted below `from` is now below `to`. */
  moved(from: string, to: string): void
  /** Call after a directory was removed: nothing of it is left to force out. */
  removed(path: string): void
  flush(access: Access): Promise<void>
}

const AT_ONCE = 4

/** `true`: before a change is acknowledged. `false`: when `flush` is called. `never`: the operating system decides. */
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
        // Not known which of them reached the disk: the next flush tries all of them again.
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
    // Gone or replaced since: nothing of it is left to save. EPERM and EISDIR are Windows' answers for directories, EINVAL that of
    // storages which cannot sync one.
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EBUSY', 'EPERM', 'EISDIR', 'EINVAL', 'EACCES'].includes(errnoOf(cause))) throw cause
  }
}
