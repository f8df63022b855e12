import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, type PathLike, type Stats, unlinkSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Pin } from './access.js'
import { errnoOf } from './faults.js'
import { lstatIfAny, O_NOFOLLOW } from './syscalls.js'

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW

/** Milliseconds. A process holds a lock only for a moment, so a lock that stays unchanged for this long belongs to a crashed process. */
const ABANDONED_MS = 5000
/** Milliseconds. Older locks are removed without waiting. The clock of a file server differs by less than this. */
const OLD_MS = 60_000
const PAUSE_MS = 2

const LOCK = /^\.toolport-[0-9a-f]{16}\.lock$/

export const isLockName = (name: string): boolean => LOCK.test(name)

/** Whether a process may hold this lock. Listings hide such locks. Locks that a crash left behind are listed like any file. */
export async function isHeld(path: PathLike): Promise<boolean> {
  const stat = await lstatIfAny(path)
  return !stat || !isOld(stat)
}

const isOld = ({ mtimeMs }: Stats): boolean => Date.now() - mtimeMs > OLD_MS

/**
 * Serialises changes of one name in a directory across processes. The process that creates the lock file runs its change. If no file can be
 * created next to the entry, the work runs without a lock.
 */
export async function withNameLock<T>(parent: Pin, name: string, work: () => T | Promise<T>): Promise<T> {
  const path = parent.at(`.toolport-${createHash('sha256').update(name).digest('hex').slice(0, 16)}.lock`)
  if (!(await take(path))) return work()
  try {
    return await work()
  } finally {
    unlinkIfAny(path)
  }
}

/** Returns false if no lock file can be created in the directory. */
async function take(path: PathLike): Promise<boolean> {
  let seen = ''
  for (let since = 0; ; since += PAUSE_MS) {
    try {
      closeSync(openSync(path, NEW_FILE, 0o600))
      return true
    } catch (cause) {
      if (errnoOf(cause) !== 'EEXIST') return false
    }
    const now = await lstatIfAny(path)
    const stamp = now ? `${now.ino} ${now.ctimeMs}` : ''
    if (stamp !== seen) since = 0
    seen = stamp
    if (since >= ABANDONED_MS || (now && isOld(now))) unlinkIfAny(path)
    await setTimeout(PAUSE_MS)
  }
}

function unlinkIfAny(path: PathLike): void {
  try {
    unlinkSync(path)
  } catch {
    // Another process has removed the lock, or the directory no longer exists.
  }
}
