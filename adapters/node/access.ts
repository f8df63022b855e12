import { type BigIntStats, lstatSync, type PathLike } from 'node:fs'
import { Fault } from './faults.js'
import { toNative } from './names.js'

/**
 * One existing entry, held while an operation works on it.
 *
 * Race-safe access holds the inode itself, so `path`, `at` and `open` keep meaning that entry whatever happens to the names on the
 * way to it. The other access holds a checked path and can only look again.
 */
export interface Pin {
  /** The entry itself, never what a link leads to; taken when it was pinned. */
  readonly stat: BigIntStats
  /** For system calls that take a path and act on the entry. Never for a link: these calls would follow it. */
  readonly path: PathLike
  /** For system calls that act on the entry `name` of this directory. */
  at(name: string): PathLike
  /** Opens the pinned entry for real, or the one that has replaced it where only a path is held. The caller closes the descriptor. */
  open(flags: number): Promise<number>
  /** Rejects when the pin no longer is where it was. Returns at once where the pin cannot be moved away from its entry. */
  verify(): Promise<void>
  close(): void
}

/**
 * `current`: the entry has to be in its place when it is pinned. `snapshot`: a file that another write has just replaced will do, since
 * it was there when it was opened. Without that, reading a file that is written all the time could fail again and again.
 */
export type Freshness = 'current' | 'snapshot'

/** The way from an adapter path to an entry on the disk that no symlink can redirect. */
export interface Access {
  readonly raceSafe: boolean
  /** @throws {MovedFault} when the entry was replaced meanwhile */
  pin(path: string, freshness: Freshness): Promise<Pin>
  close(): void
}

/** Runs `work` with the entry at `path` and lets go of it, whatever happens. */
export async function withPin<T>(
  access: Access,
  path: string,
  work: (pin: Pin) => Promise<T>,
  freshness: Freshness = 'current',
): Promise<T> {
  const pin = await access.pin(path, freshness)
  try {
    return await work(pin)
  } finally {
    pin.close()
  }
}

/** `withPin` for a directory. */
export function withDirectory<T>(access: Access, path: string, work: (pin: Pin) => Promise<T>): Promise<T> {
  return withPin(access, path, (pin) => {
    if (pin.stat.isSymbolicLink()) throw new Fault('ELOOP')
    if (!pin.stat.isDirectory()) throw new Fault('ENOTDIR')
    return work(pin)
  })
}

/** `withPin` for a regular file. Nothing has been opened yet, so a FIFO or a device is refused without waking it up. */
export function withFile<T>(access: Access, path: string, work: (pin: Pin) => Promise<T>, freshness?: Freshness): Promise<T> {
  const checked = (pin: Pin): Promise<T> => {
    checkIsFile(pin.stat)
    return work(pin)
  }
  return withPin(access, path, checked, freshness)
}

export function checkIsFile(stat: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): void {
  if (stat.isFile()) return
  if (stat.isDirectory()) throw new Fault('EISDIR')
  if (stat.isSymbolicLink()) throw new Fault('ELOOP')
  throw special()
}

export function special(): Fault {
  return new Fault('ENOTSUP', 'it is a FIFO, a socket or a device')
}

/**
 * After a lookup has failed: ELOOP if a link stands before the last component, else `otherwise`. Synchronous because the kernel has
 * just looked these very names up: 2 microseconds each instead of 30.
 */
export function blame(base: string, path: string, otherwise: unknown): unknown {
  const names = path.split('/').slice(1, -1)
  let at = base
  for (const name of names) {
    at += `/${name}`
    const kind = kindOf(at)
    if (kind === 'link') return new Fault('ELOOP')
    if (kind === 'end') return otherwise
  }
  return otherwise
}

function kindOf(host: string): 'link' | 'dir' | 'end' {
  try {
    const stat = lstatSync(toNative(host), { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) return 'link'
    return stat?.isDirectory() ? 'dir' : 'end'
  } catch {
    // Whatever cannot be looked at is the reason for the failure that is being explained, which the caller has.
    return 'end'
  }
}
