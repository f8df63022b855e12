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
/** Temporary files that could not be removed again. */
const leftBehind = new Set<string>()

/** True for the name of a write that this process has under way: no listing shows it. What a crash left behind is listed like any file. */
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
  /** The version of the file to replace. */
  readonly expect?: string | undefined
}

export interface Content {
  /** Makes the content at a temporary path in the same directory. */
  fill(temp: PathLike, old: Stats | undefined): Promise<void>
  /** Writes the content over that of a file which keeps its place. */
  overwrite(): Promise<void>
}

/** What a file that cannot be replaced by a rename fails with: it is a mount point, or the directory takes no new files. */
const FIXED = ['EBUSY', 'EXDEV', 'EACCES', 'EPERM']

/**
 * Puts a new file in the place of `name` in one step: a reader sees the old content or the new, a failure leaves the old untouched, and a
 * link that somebody puts there is replaced, not followed.
 *
 * A file is written in place where a new one would not be the same: it has other names, an owner that cannot be given to a new file, or
 * a place that a rename cannot take.
 */
export async function replaceFile(target: Target, content: Content): Promise<void> {
  const path = target.parent.at(target.name)
  const old = await checkTarget(target, path)
  if (old && old.nlink > 1) return content.overwrite()
  try {
    await replaceByRename(target, path, (temp) => content.fill(temp, old))
  } catch (cause) {
    // No temporary file can be made beside a file that is there, as in /proc.
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
      // ENOENT: it was not even made. Either way the first failure is what the caller has to know.
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

/** A rename asks the directory alone. @throws {Fault} EACCES */
export async function checkWritable(path: PathLike): Promise<void> {
  try {
    await access(path, constants.W_OK)
  } catch (cause) {
    if (['EACCES', 'EPERM'].includes(errnoOf(cause)))
      throw new Fault('EACCES', 'it is read-only for this process: leave it as it is, or ask the user to make it writable')
    // It was removed meanwhile, or cannot be looked at: the write itself tells.
  }
}

export function checkLinks(count: number | bigint): void {
  if (count > 1) throw new Fault('EACCES', 'the file has more than one hard link')
}

/** Gives the finished file its name unless the name is taken. */
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

/** `publish` for a storage without hard links (FAT): an empty file takes the name for the moment before the rename. */
export async function reserve(temp: PathLike, path: PathLike): Promise<void> {
  await close(await open(path, NEW_FILE, 0o600))
  try {
    await rename(temp, path)
  } catch (cause) {
    await unlink(path).catch(() => {})
    throw cause
  }
}

/** Makes the temporary file, with the permissions of the one it is to replace. The caller closes the descriptor. */
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
  // Without set-id bits: new content must not run with the rights that the old content was trusted with.
  if ((fstatSync(fd).mode & 0o777) !== (old.mode & 0o777)) await fchmod(fd, old.mode & 0o777)
}

class OwnerFault extends Error {}

/** @throws {OwnerFault} only root may give a file away */
export async function keepOwner(fd: number, old: Stats): Promise<void> {
  const made = fstatSync(fd)
  if (made.uid === old.uid && made.gid === old.gid) return
  await fchown(fd, old.uid, old.gid).catch(() => {
    throw new OwnerFault()
  })
}
