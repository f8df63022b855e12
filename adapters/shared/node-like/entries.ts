import type { FsEntry, FsStat } from '../../../src/types/fs.js'
import { Fault } from '../fault.js'
import { below, type Entry, type Files } from './files.js'
import type { DirentLike } from './library-types.js'

const DIR_MODE = 0o755
const LINK_MODE = 0o777
const PERMISSION_BITS = 0o7777

const encoder = new TextEncoder()

export async function lstat(files: Files, path: string): Promise<FsStat> {
  const { kind, stats } = await files.find(path)
  const mode = kind === 'symlink' ? LINK_MODE : Number(stats.mode) & PERMISSION_BITS
  return {
    kind,
    size: kind === 'file' ? Number(stats.size) : kind === 'dir' ? 0 : encoder.encode(await targetOf(files, path)).length,
    mtimeMs: Number(stats.mtimeMs),
    ...(files.keepsModes && { mode }),
    ...(kind === 'file' && { version: files.versions.of(stats) }),
  }
}

export async function readdir(files: Files, path: string): Promise<FsEntry[]> {
  const { kind } = await files.find(path)
  if (kind !== 'dir') throw new Fault(kind === 'symlink' ? 'ELOOP' : 'ENOTDIR')
  const entries: FsEntry[] = []
  for (const given of await files.promises.readdir(files.host(path), { withFileTypes: true })) {
    if (isDirent(given)) {
      entries.push({ name: String(given.name), kind: given.isSymbolicLink() ? 'symlink' : given.isDirectory() ? 'dir' : 'file' })
      continue
    }
    const name = String(given)
    const entry = await files.look(below(path, name))
    // Skip an entry that another user of the library has removed in the meantime.
    if (entry) entries.push({ name, kind: entry.kind, ...(entry.kind === 'file' && { size: Number(entry.stats.size) }) })
  }
  return entries
}

const isDirent = (given: unknown): given is DirentLike => typeof given === 'object' && given !== null && 'isDirectory' in given

export async function readlink(files: Files, path: string): Promise<string> {
  const { kind } = await files.find(path)
  if (kind !== 'symlink') throw new Fault('EINVAL', 'it is not a link')
  return targetOf(files, path)
}

async function targetOf(files: Files, path: string): Promise<string> {
  return String(await files.promises.readlink(files.host(path)))
}

export async function mkdir(files: Files, path: string): Promise<void> {
  if (await files.at(path)) throw new Fault('EEXIST')
  await files.promises.mkdir(files.host(path), { mode: DIR_MODE })
  await files.stamp(path)
}

export async function symlink(files: Files, target: string, path: string): Promise<void> {
  if (target === '') throw new Fault('ENOENT', 'the target is empty')
  if (await files.at(path)) throw new Fault('EEXIST')
  await files.promises.symlink(target, files.host(path))
}

export async function unlink(files: Files, path: string): Promise<void> {
  const { kind } = await files.find(path)
  if (kind === 'dir') throw new Fault('EISDIR')
  await files.promises.unlink(files.host(path))
}

export async function rmdir(files: Files, path: string): Promise<void> {
  if (path === '/') throw new Fault('EBUSY')
  const entry = await files.find(path)
  if (entry.kind !== 'dir') throw new Fault('ENOTDIR')
  await checkEmpty(files, path)
  await files.promises.rmdir(files.host(path))
}

/** @throws {Fault} ENOTEMPTY if the directory has entries */
export async function checkEmpty(files: Files, path: string): Promise<void> {
  const inside = await files.promises.readdir(files.host(path), { withFileTypes: true })
  if (inside.length > 0) throw new Fault('ENOTEMPTY')
}

/** Removes a tree entry by entry, and checks the kind of each entry first, because the recursive removal of libraries follows symlinks. */
export async function rmTree(files: Files, path: string): Promise<void> {
  if (path === '/') throw new Fault('EBUSY')
  await removeEntry(files, path, await files.find(path))
}

async function removeEntry(files: Files, path: string, { kind }: Entry): Promise<void> {
  if (kind !== 'dir') {
    await files.promises.unlink(files.host(path))
    return
  }
  for (const { name } of await readdir(files, path)) {
    const child = below(path, name)
    const entry = await files.look(child)
    if (entry) await removeEntry(files, child, entry)
  }
  await files.promises.rmdir(files.host(path))
}

export async function setMeta(
  files: Files,
  path: string,
  { mode, mtimeMs }: { readonly mode?: number; readonly mtimeMs?: number },
): Promise<void> {
  const { kind, stats } = await files.find(path)
  if (kind === 'symlink') throw new Fault('ELOOP')
  if (mode !== undefined && !files.keepsModes) throw new Fault('ENOTSUP', 'the library keeps no modes')
  if (mode !== undefined && (mode & PERMISSION_BITS) !== mode) throw new Fault('ENOTSUP', 'only permission bits are kept')
  if (mtimeMs !== undefined && !Number.isFinite(mtimeMs)) throw new Fault('EINVAL', 'the time is not a number')
  if (mode !== undefined) await files.promises.chmod(files.host(path), mode)
  const changed = await files.find(path)
  // Set the old modification time again if the mode change has changed it, as in memfs.
  const time = mtimeMs ?? Number(stats.mtimeMs)
  if (Number(changed.stats.mtimeMs) !== time) await files.setTime(path, time)
  if (mode !== undefined || mtimeMs !== undefined) files.versions.touched(stats, (await files.find(path)).stats)
}
