import { closeSync, constants, fstatSync, lstatSync, type PathLike, type Stats } from 'node:fs'
import { checkIsFile, type Pin } from './access.js'
import { Fault, MovedFault } from './faults.js'
import { withNameLock } from './name-lock.js'
import { checkLinks, checkWritable } from './replace.js'
import { fchmod, fsync, ftruncate, lstatIfAny, O_NOFOLLOW, O_NONBLOCK, open, readFully, writeAt } from './syscalls.js'
import { versionOf } from './version.js'

interface Entry {
  readonly parent: Pin
  readonly name: string
  readonly refuseHardLinks: boolean
  readonly expect?: string | undefined
}

/** Checks an opened file, because access by path may have opened another entry than the pinned one. */
export function openedFile(fd: number): Stats {
  const stat = fstatSync(fd)
  checkIsFile(stat)
  return stat
}

/**
 * Changes the content of an existing file in place. The name lock prevents other processes from replacing the file, which would lose the
 * change.
 */
export async function changeInPlace(entry: Entry, flags: number, change: (fd: number) => Promise<void>): Promise<void> {
  const path = entry.parent.at(entry.name)
  // Check before opening, because opening a FIFO or a device has side effects.
  const stat = await lstatIfAny(path)
  if (!stat) throw new Fault('ENOENT')
  checkIsFile(stat)
  await checkWritable(path)
  const fd = await open(path, flags | O_NOFOLLOW | O_NONBLOCK)
  try {
    const { nlink } = openedFile(fd)
    if (entry.refuseHardLinks) checkLinks(nlink)
    await entry.parent.verify()
    await inTurn(fd, () =>
      withNameLock(entry.parent, entry.name, async () => {
        checkOpened(fd, path, entry.expect)
        await change(fd)
      }),
    )
  } finally {
    closeSync(fd)
  }
}

/** Maps a file (by inode, because it may have several names) to its last pending change in this process. */
const changing = new Map<string, Promise<void>>()

async function inTurn(fd: number, change: () => Promise<void>): Promise<void> {
  const { dev, ino } = fstatSync(fd, { bigint: true })
  const file = `${dev}:${ino}`
  const mine = (changing.get(file) ?? Promise.resolve()).then(change)
  const over = mine.catch(() => {})
  changing.set(file, over)
  try {
    await mine
  } finally {
    if (changing.get(file) === over) changing.delete(file)
  }
}

function checkOpened(fd: number, path: PathLike, expect: string | undefined): void {
  const opened = fstatSync(fd, { bigint: true })
  const named = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (named?.ino !== opened.ino || named.dev !== opened.dev) throw new MovedFault()
  if (expect !== undefined && versionOf(opened) !== expect) throw new Fault('ESTALE')
}

/**
 * Overwrites the content of a file, under all of its names. A failed write restores the old content. A crash may leave a mix of old and new
 * content.
 */
export async function overwrite(entry: Entry, bytes: Uint8Array, rules: { readonly fsync: boolean }, mode?: number): Promise<void> {
  await changeInPlace(entry, constants.O_RDWR, async (fd) => {
    const stat = fstatSync(fd)
    const old = new Uint8Array(stat.size)
    await readFully(fd, old, 0)
    try {
      // First write the part that needs more space. If the disk is full, the old content is still intact.
      await writeAt(fd, bytes.subarray(old.length), old.length)
      await writeAt(fd, bytes.subarray(0, old.length), 0)
      await ftruncate(fd, bytes.length)
    } catch (cause) {
      await writeAt(fd, old, 0)
      await ftruncate(fd, old.length)
      throw cause
    }
    // Clear set-id bits, as for a new file. Only the owner may change the mode. For other writers, the system has already cleared the bits.
    const wanted = (mode ?? stat.mode) & 0o777
    if ((stat.mode & 0o6777) !== wanted) await fchmod(fd, wanted).catch(() => {})
    if (rules.fsync) await fsync(fd)
  })
}
