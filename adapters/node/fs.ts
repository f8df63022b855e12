import {
  type BigIntStats,
  chmod as chmodCb,
  lstat as lstatCb,
  mkdir as mkdirCb,
  type PathLike,
  readlink as readlinkCb,
  rename as renameCb,
  rmdir as rmdirCb,
  symlink as symlinkCb,
  unlink as unlinkCb,
  utimes as utimesCb,
} from 'node:fs'
import { promisify } from 'node:util'
import { required } from '../../src/errors/required.js'
import type { FsAdapter, FsEntry, FsOther, FsStat } from '../../src/types/fs.js'
import { type Access, type Pin, special, withDirectory, withPin } from './access.js'
import { scanFiles, timesOf } from './bulk-reads.js'
import { appendFile, copyFile, readFile, writeFile } from './content.js'
import { createDurability, type Fsync } from './durability.js'
import { errnoOf, Fault, toFsError } from './faults.js'
import { isHeld, isLockName, withNameLock } from './name-lock.js'
import { type Listed, listNames, textOf, toNative } from './names.js'
import { checkName, checkPath, nameOf, parentOf } from './paths.js'
import { removeTree } from './remove-tree.js'
import { checkWritable, isTemporary } from './replace.js'
import { createStorage } from './storage.js'
import { lstatIfAny } from './syscalls.js'
import { versionOf } from './version.js'

const chmod = promisify(chmodCb)
const lstat = promisify(lstatCb)
const mkdir = promisify(mkdirCb)
const readlink = promisify(readlinkCb)
const rename = promisify(renameCb)
const rmdir = promisify(rmdirCb)
const symlink = promisify(symlinkCb)
const unlink = promisify(unlinkCb)
const utimes = promisify(utimesCb)

/** Options of `createNodeFs`. Only `root` is required. */
export interface NodeFsOptions {
  /** An existing directory: an absolute path, or a path relative to the working directory of the process. */
  readonly root: string
  /**
   * Whether to reject writes to a file with more than one hard link (EACCES). Default: false. `write`, `copy` and `append` then change the
   * content under all names of the file, even outside the root.
   */
  readonly refuseHardLinks?: boolean
  /**
   * `auto` (default): race-safe on Linux with `/proc`, checks by path elsewhere. `false`: checks by path everywhere. If `can.raceSafe` is
   * false, do not share the root with a hostile process.
   */
  readonly raceSafe?: 'auto' | false
  /**
   * When changes reach the disk, so that they survive a crash of the machine. A crash of the process never loses acknowledged changes.
   *
   * - `false` (default): on `flush()`, which a runtime calls at the end of each tool call. Syncs each written file, and each directory in
   *   which entries were created, moved or removed. Syncing a file covers its name as well on file systems with a journal (ext4, XFS,
   *   Btrfs, APFS, NTFS).
   * - `true`: syncs contents and names before it acknowledges each change (`can.durableOnAck`).
   * - `never`: the operating system decides, within about half a minute. `flush()` syncs nothing.
   */
  readonly fsync?: Fsync
}

/**
 * Creates a storage over a directory of this machine. It never follows symlinks. On Linux no other process can cause a sandbox escape by
 * swapping directories for links during an operation.
 *
 * `write` and `copy` replace the old file atomically with a new one, which has the same permission bits and owner, but no extended
 * attributes. They write in place, which keeps everything but is not atomic, if the file has more than one hard link, is a mount point, has
 * an owner that this process cannot assign, or lies in a directory that accepts no new files. A file without write permission fails with
 * EACCES.
 *
 * Adapters on the same directory, even in other processes, take turns when they change the content of a file. They use a short-lived lock
 * file next to it.
 */
export function createNodeFs(options: NodeFsOptions): FsAdapter {
  const root = required('createNodeFs', 'the option "root", a directory of this machine', options?.root)
  const storage = createStorage(root, options.raceSafe ?? 'auto')
  const rules = { refuseHardLinks: options.refuseHardLinks ?? false, fsync: options.fsync === true }
  const durability = createDurability(options.fsync ?? false)
  const posix = process.platform !== 'win32'
  const suggestedRoot = posix ? storage.root : undefined

  /** Runs `work` at the host path of the entry, in its pinned parent. */
  function inParent<T>(access: Access, path: string, work: (host: PathLike) => Promise<T>): Promise<T> {
    return withDirectory(access, parentOf(path), (parent) => work(parent.at(nameOf(path))))
  }

  async function changeIn(access: Access, path: string, work: (host: PathLike) => Promise<unknown>): Promise<void> {
    await inParent(access, path, work)
    await durability.changed(access, parentOf(path))
  }

  /**
   * Returns the path that must still be synced after a file was written. With `fsync`, the content was synced before the rename, so only
   * the parent is left.
   */
  const written = (path: string): string => (rules.fsync ? parentOf(path) : path)

  return {
    name: 'node',
    can: {
      mode: posix,
      atomicReplace: true,
      dirRename: true,
      durableOnAck: rules.fsync,
      caseSensitive: process.platform !== 'darwin' && posix,
      raceSafe: storage.raceSafe,
      persistence: 'durable',
    },
    ...(suggestedRoot === undefined ? {} : { suggestedRoot }),

    open: () => storage.open(),
    lstat: (path) => storage.run('stat', path, (access) => withPin(access, path, async ({ stat }) => describe(stat, posix), 'snapshot')),
    readdir: (path) => storage.run('list', path, (access) => withDirectory(access, path, listPinned)),
    read: (path, range = {}) => storage.run('read', path, (access) => readFile(access, path, range)),
    write(path, bytes, options = {}) {
      const copy = new Uint8Array(bytes)
      return storage.run('write', path, async (access) => {
        await writeFile(access, path, copy, options, rules)
        await durability.changed(access, written(path))
      })
    },
    mkdir: (path) =>
      storage.run('make directory', path, async (access) => {
        if (path === '/') throw new Fault('EEXIST')
        await changeIn(access, path, mkdir)
      }),
    unlink: (path) =>
      storage.run('remove', path, async (access) => {
        if (path === '/') throw new Fault('EISDIR')
        await changeIn(access, path, removeNonDirectory)
      }),
    rmdir: (path) =>
      storage.run('remove', path, async (access) => {
        if (path === '/') throw new Fault('EBUSY', 'it is the root')
        await changeIn(access, path, (host) => notEmpty(rmdir(host)))
        durability.removed(path)
      }),
    rename: (from, to) =>
      storage.run(
        'move',
        from,
        async (access) => {
          if (from === '/' || to === '/') throw new Fault('EBUSY', 'it is the root')
          await moveEntry(access, from, to)
          durability.moved(from, to)
          await durability.changed(access, parentOf(from), parentOf(to))
        },
        to,
      ),
    flush: () => storage.run('flush', '/', (access) => durability.flush(access)),
    close: () => storage.close((access) => durability.flush(access)),

    readlink: (path) =>
      storage.run('read link', path, async (access) => {
        if (path === '/') throw new Fault('EINVAL', 'it is not a link')
        return inParent(access, path, async (host) => textOf(await readlink(host, { encoding: 'buffer' })))
      }),
    symlink: (target, path) =>
      storage.run('link', path, async (access) => {
        if (path === '/') throw new Fault('EEXIST')
        await changeIn(access, path, (host) => symlink(toNative(target), host))
      }),
    append(path, bytes) {
      const copy = new Uint8Array(bytes)
      return storage.run('append to', path, async (access) => {
        await appendFile(access, path, copy, rules)
        await durability.changed(access, path)
      })
    },
    copy: (from, to) =>
      storage.run(
        'copy',
        from,
        async (access) => {
          await copyFile(access, from, to, rules)
          await durability.changed(access, written(to))
        },
        to,
      ),
    rmTree: (path) =>
      storage.run('remove', path, async (access) => {
        if (path === '/') throw new Fault('EBUSY', 'it is the root')
        await removeTree(access, path)
        await durability.changed(access, parentOf(path))
      }),
    setMeta: (path, meta) =>
      storage.run('change', path, async (access) => {
        await withPin(access, path, (pin) => setMeta(pin, meta, posix))
        await durability.changed(access, path)
      }),
    checkWrite: (path) => storage.run('write', path, (access) => inParent(access, path, checkWritable)),
    timesBelow: (directory, names) => storage.run('list', directory, (access) => timesOf(access, directory, checkNames(names))),
    scanBelow: (directory, names, needle) =>
      storage.run('list', directory, (access) => scanFiles(access, directory, checkNames(names), needle)),
    async skim(path, needle, range) {
      const bytes = Buffer.from((await storage.run('read', path, (access) => readFile(access, path, range))).buffer)
      const isOneLine = bytes.length === range.length && !bytes.includes(10)
      return isOneLine || bytes.includes(0) || bytes.indexOf(needle) >= 0 ? undefined : bytes.length
    },
    hostPath(path) {
      try {
        checkPath(path)
      } catch (cause) {
        throw toFsError(cause, 'locate', path)
      }
      return storage.hostPath(path)
    },
  }
}

function checkNames(names: readonly string[]): readonly string[] {
  for (const name of names) checkName(name)
  return names
}

function describe(stat: BigIntStats, posix: boolean): FsStat {
  const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'dir' : stat.isSymbolicLink() ? 'symlink' : undefined
  if (!kind) throw special()
  return {
    kind,
    size: kind === 'dir' ? 0 : Number(stat.size),
    mtimeMs: Number(stat.mtimeNs / 1000n) / 1000,
    ...(posix ? { mode: Number(stat.mode) & 0o7777 } : {}),
    version: versionOf(stat),
  }
}

async function listPinned(directory: Pin): ReturnType<typeof listEntries> {
  const entries = await listEntries(directory)
  await directory.verify()
  return entries
}

async function moveEntry(access: Access, from: string, to: string): Promise<void> {
  await withDirectory(access, parentOf(from), (source) => {
    const move = (target: Pin): Promise<void> =>
      withNameLock(target, nameOf(to), async () => {
        const [old, now] = [source.at(nameOf(from)), target.at(nameOf(to))]
        // For two hard links of one file, `rename` does nothing and succeeds.
        if (await areHardLinks(old, now)) await unlink(old)
        else await notEmpty(rename(old, now))
      })
    // Most moves stay within one directory. Pinning it only once halves the work.
    return parentOf(from) === parentOf(to) ? move(source) : withDirectory(access, parentOf(to), move)
  })
}

/** Whether two paths are hard links of one file. False for two spellings of one name on a case-insensitive file system. */
async function areHardLinks(a: PathLike, b: PathLike): Promise<boolean> {
  const look = (path: PathLike): Promise<BigIntStats | undefined> =>
    lstat(path, { bigint: true }).catch((cause: unknown) => {
      if (errnoOf(cause) !== 'ENOENT') throw cause
      return undefined
    })
  const [one, other] = [await look(a), await look(b)]
  if (!one || !other || one.isDirectory() || one.ino !== other.ino || one.dev !== other.dev || one.nlink < 2n) return false
  const folded = (path: PathLike): string => String(path).normalize('NFC').toLowerCase()
  return folded(a) !== folded(b)
}

/** Removes any entry except a directory. Unifies the error for a directory: Linux reports EISDIR, but macOS and Windows report EPERM. */
async function removeNonDirectory(host: PathLike): Promise<void> {
  try {
    await unlink(host)
  } catch (cause) {
    if (errnoOf(cause) === 'EPERM' && (await lstatIfAny(host))?.isDirectory()) throw new Fault('EISDIR')
    throw cause
  }
}

/** Converts EEXIST to ENOTEMPTY, because POSIX allows both errors for a directory that is not empty. */
async function notEmpty(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (cause) {
    throw errnoOf(cause) === 'EEXIST' ? new Fault('ENOTEMPTY') : cause
  }
}

async function setMeta(pin: Pin, meta: { readonly mode?: number; readonly mtimeMs?: number }, posix: boolean): Promise<void> {
  const { mode, mtimeMs } = meta
  if (pin.stat.isSymbolicLink()) throw new Fault('ELOOP')
  if (!pin.stat.isFile() && !pin.stat.isDirectory()) throw special()
  if (mode !== undefined && !posix) throw new Fault('ENOTSUP', 'Windows keeps no permission bits')
  if (mode !== undefined && (mode & ~0o7777) !== 0) throw new Fault('ENOTSUP', `mode ${mode} is not made of permission bits alone`)
  if (mtimeMs !== undefined && !Number.isFinite(mtimeMs)) throw new Fault('EINVAL', `time ${mtimeMs} is not a number of milliseconds`)
  await pin.verify()
  if (mode !== undefined) await chmod(pin.path, mode)
  // `timeOf` adds half a microsecond, because Node truncates to microseconds and binary fractions may fall just below the value.
  if (mtimeMs !== undefined) await utimes(pin.path, timeOf(Number(pin.stat.atimeNs) / 1e6), timeOf(mtimeMs))
}

/** Converts a time for `utimes`. Node takes a negative number for the current time, so a time before 1970 becomes a `Date`. */
function timeOf(ms: number): number | Date {
  return ms < 0 ? new Date(ms) : (ms + 0.0005) / 1000
}

/** Lists a directory without the adapter's temporary files and lock files. */
async function listEntries(directory: Pin): Promise<(FsEntry | FsOther)[]> {
  const entries: (FsEntry | FsOther)[] = []
  for (const entry of await listNames(directory.path, directory.stat.size)) {
    const kind = kindOf(entry)
    if (isTemporary(entry.name)) continue
    if (isLockName(entry.name) && (await isHeld(directory.at(entry.name)))) continue
    entries.push({ name: entry.name, kind })
  }
  return entries
}

function kindOf(entry: Listed): (FsEntry | FsOther)['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'dir'
  return entry.isSymbolicLink() ? 'symlink' : 'other'
}
