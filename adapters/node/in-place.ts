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

/** Checks the opened file, because access by path may open a different entry than it pinned. */
export function openedFile(fd: number): Stats {
  const stat = fstatSync(fd)
  checkIsFile(stat)
  return stat
}

/**
 * Changes the content of the existing file in place. The name lock keeps other processes from replacing the file, which would lose the
 * change.
 */
export async function changeInPlace(entry: Entry, flags: number, change: (fd: number) => Promise<void>): Promise<void> {
  const path = entry.parent.at(entry.name)
  // Checked before opening, because opening a FIFO or a device has side effects.
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

/** The last pending change of each file in this process, by inode: a file may have several names. */
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

/** Overwrites the content under all names of the file. A failed write restores the old content; a crash may leave a mix of both. */
export async function overwrite(entry: Entry, bytes: Uint8Array, rules: { readonly fsync: boolean }, mode?: number): Promise<void> {
  await changeInPlace(entry, constants.O_RDWR, async (fd) => {
    const stat = fstatSync(fd)
    const old = new Uint8Array(stat.size)
    await readFully(fd, old, 0)
    try {
      // Write the part that needs more space first: if the disk is full, the old content is still intact.
      await writeAt(fd, bytes.subarray(old.length), old.length)
      await writeAt(fd, bytes.subarray(0, old.length), 0)
      await ftruncate(fd, bytes.length)
    } catch (cause) {
      await writeAt(fd, old, 0)
      await ftruncate(fd, old.length)
      throw cause
    }
    // Clears set-id bits, as for a new file. Only the owner may change the mode; for other writers the system has cleared the bits.
    const wanted = (mode ?? stat.mode) & 0o777
    if ((stat.mode & 0o6777) !== wanted) await fchmod(fd, wanted).catch(() => {})
    if (rules.fsync) await fsync(fd)
  })
}
