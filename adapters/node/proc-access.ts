import { type BigIntStats, closeSync, fstatSync, openSync, type PathLike, readlinkSync } from 'node:fs'
import { type Access, blame, type Freshness, type Pin } from './access.js'
import { Fault, MovedFault } from './faults.js'
import { textOf, toNative } from './names.js'
import { toHost } from './paths.js'
import { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_PATH, open } from './syscalls.js'

const linkOf = (fd: number): string => `/proc/self/fd/${fd}`

/** An inode held by an O_PATH descriptor. `/proc/self/fd/N` leads to that inode, not to whatever has its name now. */
class ProcPin implements Pin {
  readonly stat: BigIntStats
  readonly path: string
  readonly #fd: number

  constructor(fd: number) {
    this.#fd = fd
    this.path = linkOf(fd)
    this.stat = fstatSync(fd, { bigint: true })
  }

  at(name: string): PathLike {
    return toNative(`${this.path}/${name}`)
  }

  open(flags: number): Promise<number> {
    return open(this.path, flags | O_NONBLOCK)
  }

  async verify(): Promise<void> {}

  close(): void {
    closeSync(this.#fd)
  }
}

/**
 * Race-safe access. An entry is first opened with O_PATH, which touches neither its content nor a device behind it, and the kernel is
 * then asked where the descriptor really is. Only an exact match goes on, and everything after that works on the descriptor, so a
 * directory that is swapped for a link before, between or after these steps leads nowhere.
 *
 * The root is held by a descriptor too: what is at its path later on is never mistaken for it.
 */
export function createProcAccess(root: string): Access {
  const rootFd = openSync(root, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  const base = linkOf(rootFd)
  const explain = (path: string, otherwise: unknown): unknown =>
    readlinkSync(base) === root ? blame(base, path, otherwise) : new Fault('EIO', 'the root directory was moved or removed', '/')

  const access: Access = {
    raceSafe: true,
    async pin(path, freshness) {
      let fd: number
      try {
        fd = await open(toNative(base + path), O_PATH | O_NOFOLLOW)
      } catch (cause) {
        throw explain(path, cause)
      }
      try {
        const pin = new ProcPin(fd)
        if (isAt(placeOf(pin.path), toHost(root, path), pin.stat, freshness)) return pin
        throw explain(path, new MovedFault())
      } catch (cause) {
        closeSync(fd)
        throw cause
      }
    },
    close: () => closeSync(rootFd),
  }
  if (readlinkSync(base) === root) return access
  closeSync(rootFd)
  throw new Fault('EIO', 'the root directory was moved or removed', '/')
}

/** Where the kernel says that a descriptor is. */
function placeOf(link: string): string {
  const place = readlinkSync(link)
  return place.includes('\uFFFD') ? textOf(readlinkSync(link, 'buffer')) : place
}

/** The kernel marks the path of what has no name any more. No links are left then, so it is not a live file of that odd name. */
function isAt(actual: string, expected: string, stat: BigIntStats, freshness: Freshness): boolean {
  if (actual === expected) return true
  return freshness === 'snapshot' && actual === `${expected} (deleted)` && stat.nlink === 0n && stat.isFile()
}

let supported: boolean | undefined

/** Whether this system has what race-safe access needs. Asked of the system once, not guessed from its name alone. */
export function hasProcAccess(): boolean {
  supported ??= process.platform === 'linux' && probe()
  return supported
}

function probe(): boolean {
  try {
    const fd = openSync('/', O_PATH | O_DIRECTORY | O_NOFOLLOW)
    try {
      return readlinkSync(linkOf(fd)) === '/' && fstatSync(fd).isDirectory()
    } finally {
      closeSync(fd)
    }
  } catch {
    // No /proc, or a sandbox that denies it: the other access works there.
    return false
  }
}
