import { type BigIntStats, lstatSync, type PathLike } from 'node:fs'
import { Fault } from './faults.js'
import { toNative } from './names.js'

/**
 * One existing entry, held while an operation works on it.
 *
 * Race-safe access holds the inode, so `path`, `at` and `open` refer to the same entry even if its names change. Access by path holds only
 * a checked path, so it must check again.
 */
export interface Pin {
  /** Result of `lstat` when the entry was pinned. For a symlink, this describes the link itself. */
  readonly stat: BigIntStats
  /** The path for system calls that act on the entry. Never use it for a symlink, because these calls would follow the link. */
  readonly path: PathLike
  /** Returns the path for system calls that act on the entry `name` of this directory. */
  at(name: string): PathLike
  /** Opens the pinned entry. Access by path opens the entry that is at the path now. The caller closes the descriptor. */
  open(flags: number): Promise<number>
  /** Rejects if the path no longer leads to the pinned entry. For race-safe access, this need not be checked. */
  verify(): Promise<void>
  close(): void
}

/**
 * `current`: the entry must still be at its path when it is pinned. `snapshot`: also accepts a file that another write has just replaced,
 * because the file existed when it was opened. Otherwise, reads of a file that is constantly rewritten could keep failing.
 */
export type Freshness = 'current' | 'snapshot'

/** Resolves adapter paths to entries on the disk without following symlinks. */
export interface Access {
  readonly raceSafe: boolean
  /** @throws {MovedFault} if the entry was replaced in the meantime */
  pin(path: string, freshness: Freshness): Promise<Pin>
  close(): void
}

/** Runs `work` with the pinned entry at `path`, then closes the pin. */
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

/** Like `withPin`, but only for a directory. Rejects with ELOOP for a symlink, and with ENOTDIR for any other entry. */
export function withDirectory<T>(access: Access, path: string, work: (pin: Pin) => Promise<T>): Promise<T> {
  return withPin(access, path, (pin) => {
    if (pin.stat.isSymbolicLink()) throw new Fault('ELOOP')
    if (!pin.stat.isDirectory()) throw new Fault('ENOTDIR')
    return work(pin)
  })
}

/**
 * Like `withPin`, but only for a regular file. The type is checked before the file is opened, so a FIFO or a device is rejected without
 * side effects.
 */
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
 * Explains a failed lookup: returns ELOOP if a component before the last is a symlink, else `otherwise`. Synchronous, because the kernel
 * has just cached these names, which makes a call take 2 instead of 30 microseconds.
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
    // This component caused the failed lookup. The caller already has the error.
    return 'end'
  }
}
