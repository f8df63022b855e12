import { type BigIntStats, closeSync, fstatSync, lstat as lstatCb, lstatSync, type PathLike, realpath as realpathCb } from 'node:fs'
import { sep } from 'node:path'
import { promisify } from 'node:util'
import { type Access, blame, type Pin } from './access.js'
import { Fault, MovedFault } from './faults.js'
import { textOf, toNative } from './names.js'
import { parentOf, toHost } from './paths.js'
import { O_NOFOLLOW, O_NONBLOCK, open } from './syscalls.js'

const lstat = promisify(lstatCb)
const realpath = promisify(realpathCb.native)
const realBytes = promisify((path: PathLike, done: (error: Error | null, real: Buffer) => void) => realpathCb.native(path, 'buffer', done))
// Where names are compared without case or normal form, the system answers with the spelling on the disk.
const exact = process.platform !== 'darwin' && process.platform !== 'win32'
const fold = (path: string): string => (exact ? path : path.normalize('NFC').toLowerCase())

async function realPath(host: string): Promise<string> {
  const native = toNative(host)
  return typeof native === 'string' ? realpath(native) : textOf(await realBytes(native))
}

const sameEntry = (a: BigIntStats, b: BigIntStats): boolean => a.ino === b.ino && a.dev === b.dev

/**
 * Access by path for systems that do not tell where a descriptor is. Every directory on the way is checked before use and the entry
 * again after it was opened, which stops links that are there, but not a process that swaps them in at the right instant.
 */
export function createPathAccess(root: string): Access {
  const pinned = lstatSync(root, { bigint: true })

  async function look(path: string): Promise<BigIntStats> {
    const host = toHost(root, path)
    const parent = path === '/' ? host : toHost(root, parentOf(path))
    const [real, stat, top] = await Promise.all([realPath(parent), lstat(toNative(host), { bigint: true }), lstat(root, { bigint: true })])
    if (!sameEntry(top, pinned)) throw new Fault('EIO', 'the root directory was moved or removed', '/')
    if (fold(real) !== fold(parent)) throw blame(root, path, new MovedFault())
    return stat
  }

  async function explained(path: string): Promise<BigIntStats> {
    try {
      return await look(path)
    } catch (cause) {
      const top = lstatSync(root, { bigint: true, throwIfNoEntry: false })
      if (!top || !sameEntry(top, pinned)) throw new Fault('EIO', 'the root directory was moved or removed', '/')
      throw cause instanceof Fault ? cause : blame(root, path, cause)
    }
  }

  return {
    raceSafe: false,
    async pin(path, freshness): Promise<Pin> {
      const host = toHost(root, path)
      const stat = await explained(path)
      const verify = async (): Promise<void> => {
        if (!sameEntry(await explained(path), stat)) throw new MovedFault()
      }
      return {
        stat,
        path: toNative(host),
        at: (name) => toNative(host.endsWith(sep) ? host + name : host + sep + name),
        async open(flags) {
          const fd = await open(toNative(host), flags | O_NOFOLLOW | O_NONBLOCK)
          try {
            // Not compared with `stat`: a file that was replaced since is as good, if it is the one that is there now.
            const opened = fstatSync(fd, { bigint: true })
            if (sameEntry(opened, await explained(path))) return fd
            if (freshness === 'snapshot' && opened.nlink === 0n) return fd
            throw new MovedFault()
          } catch (cause) {
            closeSync(fd)
            throw cause
          }
        },
        verify,
        close: () => {},
      }
    },
    close: () => {},
  }
}
