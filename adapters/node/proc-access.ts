import { type BigIntStats, closeSync, fstatSync, openSync, type PathLike, readlinkSync } from 'node:fs'
import { type Access, blame, type Freshness, type Pin } from './access.js'
import { Fault, MovedFault } from './faults.js'
import { textOf, toNative } from './names.js'
import { toHost } from './paths.js'
import { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_PATH, open } from './syscalls.js'

const linkOf = (fd: number): string => `/proc/self/fd/${fd}`

/** An inode, held by an O_PATH descriptor. `/proc/self/fd/N` leads to this inode, even after another entry has got its name. */
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
 * Race-safe access. `pin` opens the entry with O_PATH, which touches neither its content nor a device behind it. Then `pin` asks the kernel
 * for the real path of the descriptor and accepts only an exact match. All later steps use the descriptor. So swapping a
 * directory for a symlink cannot lead out of the root.
 *
 * A descriptor holds the root too, so a directory that later replaces the root is never mistaken for it.
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

/** Returns the path that the kernel reports for a descriptor. */
function placeOf(link: string): string {
  const place = readlinkSync(link)
  return place.includes('\uFFFD') ? textOf(readlinkSync(link, 'buffer')) : place
}

/**
 * Whether the descriptor is at the expected path. The kernel appends " (deleted)" to the path of a removed entry. The check for zero hard
 * links excludes an existing file with such a name.
 */
function isAt(actual: string, expected: string, stat: BigIntStats, freshness: Freshness): boolean {
  if (actual === expected) return true
  return freshness === 'snapshot' && actual === `${expected} (deleted)` && stat.nlink === 0n && stat.isFile()
}

let supported: boolean | undefined

/** Whether this system supports race-safe access. Probed once, because a sandbox may deny `/proc` on Linux. */
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
    // There is no `/proc`, or a sandbox denies access to it, so the adapter uses access by path.
    return false
  }
}
