import { randomBytes } from 'node:crypto'
import {
  constants,
  fstatSync,
  link as linkCb,
  type PathLike,
  rename as renameCb,
  renameSync,
  type Stats,
  unlink as unlinkCb,
} from 'node:fs'
import { promisify } from 'node:util'
import type { CreateMode } from '../../src/types/fs.js'
import { checkIsFile, type Pin } from './access.js'
import { errnoOf, Fault } from './faults.js'
import { withNameLock } from './name-lock.js'
import { access, close, fchmod, fchown, lstatIfAny, O_NOFOLLOW, open } from './syscalls.js'
import { checkVersion } from './version.js'

const link = promisify(linkCb)
const rename = promisify(renameCb)
const unlink = promisify(unlinkCb)

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW

const PREFIX = `.toolport-${randomBytes(4).toString('hex')}-`
/** Names of temporary files that could not be removed. */
const leftBehind = new Set<string>()

/**
 * Whether a name is that of a temporary file for a pending write of this process. Listings hide such files. Temporary files that a crash
 * left behind are listed like any file.
 */
export function isTemporary(name: string): boolean {
  return name.startsWith(PREFIX) && !leftBehind.has(name)
}

export function temporaryName(): string {
  return `${PREFIX}${randomBytes(6).toString('hex')}.tmp`
}

export interface Target {
  readonly parent: Pin
  readonly name: string
  readonly create: CreateMode
  readonly refuseHardLinks: boolean
  /** Version that the file to replace must have. */
  readonly expect?: string | undefined
}

export interface Content {
  /** Creates a file with the content at a temporary path in the same directory. */
  fill(temp: PathLike, old: Stats | undefined): Promise<void>
  /** Overwrites the content of the existing file in place. */
  overwrite(): Promise<void>
}

/** Error codes for a file that a rename cannot replace, because it is a mount point or its directory accepts no new files. */
const FIXED = ['EBUSY', 'EXDEV', 'EACCES', 'EPERM']

/**
 * Atomically replaces `name` with a new file. A reader sees either the old or the new content, and a failure leaves the old file untouched.
 * A symlink that appears at `name` in the meantime is replaced, not followed.
 *
 * Falls back to an in-place write in three cases: the file has several hard links, has an owner that a new file cannot get, or cannot be
 * replaced by a rename.
 */
export async function replaceFile(target: Target, content: Content): Promise<void> {
  const path = target.parent.at(target.name)
  const old = await checkTarget(target, path)
  if (old && old.nlink > 1) return content.overwrite()
  try {
    await replaceByRename(target, path, (temp) => content.fill(temp, old))
  } catch (cause) {
    // The file exists, but its directory accepts no temporary file, as in /proc.
    if (old && systemCode(cause) === 'ENOENT' && (await lstatIfAny(path))) throw new Fault('ENOTSUP', 'its directory takes no new files')
    if (!old || !(cause instanceof OwnerFault || FIXED.includes(systemCode(cause)))) throw cause
    await content.overwrite()
  }
}

const systemCode = (cause: unknown): string => (cause instanceof Fault ? '' : errnoOf(cause))

async function replaceByRename(
  { parent, name, create, expect }: Target,
  path: PathLike,
  fill: (temp: PathLike) => Promise<void>,
): Promise<void> {
  const tempName = temporaryName()
  const temp = parent.at(tempName)
  try {
    await fill(temp)
    await parent.verify()
    if (create === 'exclusive') return await publish(temp, path)
    await withNameLock(parent, name, () => {
      checkVersion(path, expect)
      renameSync(temp, path)
    })
  } catch (cause) {
    await unlink(temp).catch((failure: unknown) => {
      // ENOENT: the temporary file was never created. In any case, the caller gets the original error.
      if (errnoOf(failure) !== 'ENOENT') leftBehind.add(tempName)
    })
    throw cause
  }
}

async function checkTarget({ create, refuseHardLinks }: Target, path: PathLike): Promise<Stats | undefined> {
  const old = await lstatIfAny(path)
  if (!old) {
    if (create === 'never') throw new Fault('ENOENT')
    return undefined
  }
  if (create === 'exclusive') throw new Fault('EEXIST')
  checkIsFile(old)
  if (refuseHardLinks) checkLinks(old.nlink)
  await checkWritable(path)
  return old
}

/** Checks that the file is writable, because a rename checks only the permissions of the directory. @throws {Fault} EACCES */
export async function checkWritable(path: PathLike): Promise<void> {
  try {
    await access(path, constants.W_OK)
  } catch (cause) {
    if (['EACCES', 'EPERM'].includes(errnoOf(cause)))
      throw new Fault('EACCES', 'it is read-only for this process: leave it as it is, or ask the user to make it writable')
    // The file was removed in the meantime or cannot be checked. The write itself reports the error.
  }
}

export function checkLinks(count: number | bigint): void {
  if (count > 1) throw new Fault('EACCES', 'the file has more than one hard link')
}

/** Moves the finished temporary file to its final path. Fails if this path exists. */
async function publish(temp: PathLike, path: PathLike): Promise<void> {
  try {
    await link(temp, path)
  } catch (cause) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errnoOf(cause))) throw cause
    await reserve(temp, path)
    return
  }
  await unlink(temp)
}

/** Like `publish`, for file systems without hard links (FAT). Creates an empty file to reserve the name, then renames over it. */
export async function reserve(temp: PathLike, path: PathLike): Promise<void> {
  await close(await open(path, NEW_FILE, 0o600))
  try {
    await rename(temp, path)
  } catch (cause) {
    await unlink(path).catch(() => {})
    throw cause
  }
}

/** Creates the temporary file with the permissions of the file that it replaces. The caller closes the descriptor. */
export async function createLike(temp: PathLike, old: Stats | undefined): Promise<number> {
  const fd = await open(temp, NEW_FILE, old ? old.mode & 0o777 : 0o666)
  try {
    if (old) await keepOwnerAndMode(fd, old)
    return fd
  } catch (cause) {
    await close(fd)
    throw cause
  }
}

async function keepOwnerAndMode(fd: number, old: Stats): Promise<void> {
  await keepOwner(fd, old)
  // Drop set-id bits, because new content must not run with privileges that were granted to the old content.
  if ((fstatSync(fd).mode & 0o777) !== (old.mode & 0o777)) await fchmod(fd, old.mode & 0o777)
}

class OwnerFault extends Error {}

/** @throws {OwnerFault} because only root may change the owner of a file */
export async function keepOwner(fd: number, old: Stats): Promise<void> {
  const made = fstatSync(fd)
  if (made.uid === old.uid && made.gid === old.gid) return
  await fchown(fd, old.uid, old.gid).catch(() => {
    throw new OwnerFault()
  })
}
