import type { CreateMode, FileKind, FsEntry, FsStat, ReadOptions } from '../../src/types/fs.js'
import { joinPath } from '../../src/workspace/paths.js'
import { Fault } from '../shared/fault.js'
import type { Container } from './container.js'
import { PathLookup } from './path-lookup.js'
import type { Versions } from './versions.js'

/** Maximum number of directories of a tree that are listed at the same time. */
const LISTED_AT_ONCE = 8

/** An open container, and the versions of the files that were written through this storage. */
export interface Store {
  readonly container: Container
  readonly versions: Versions
}

export async function lstat({ container, versions }: Store, path: string): Promise<FsStat> {
  const kind = await new PathLookup(container).existing(path)
  // The container does not report link targets, so the size of a symlink is unknown too.
  if (kind !== 'file') return { kind, size: 0, mtimeMs: 0 }
  const bytes = await container.read(path)
  return { kind, size: bytes.length, mtimeMs: 0, version: await versions.of(path, bytes) }
}

export async function readdir({ container }: Store, path: string): Promise<FsEntry[]> {
  const look = new PathLookup(container)
  const kind = await look.existing(path)
  if (kind !== 'dir') throw new Fault(kind === 'file' ? 'ENOTDIR' : 'ELOOP')
  return Array.from(await look.list(path), ([name, kind]) => ({ name, kind }))
}

export async function read({ container }: Store, path: string, { offset = 0, length = Infinity }: ReadOptions): Promise<Uint8Array> {
  const kind = await new PathLookup(container).existing(path)
  if (kind !== 'file') throw new Fault(kind === 'dir' ? 'EISDIR' : 'ELOOP')
  if (!(offset >= 0 && length >= 0)) throw new Fault('EINVAL', 'offset and length must be 0 or more')
  const bytes = await container.read(path)
  return offset === 0 && length >= bytes.length ? bytes : bytes.slice(offset, offset + length)
}

export async function write({ container, versions }: Store, path: string, bytes: Uint8Array, create: CreateMode): Promise<void> {
  const kind = await new PathLookup(container).kind(path)
  if (kind === undefined && create === 'never') throw new Fault('ENOENT')
  if (kind !== undefined && create === 'exclusive') throw new Fault('EEXIST')
  if (kind !== undefined && kind !== 'file') throw new Fault(kind === 'dir' ? 'EISDIR' : 'ELOOP')
  versions.written(path)
  await container.write(path, bytes)
}

export async function mkdir({ container }: Store, path: string): Promise<void> {
  if ((await new PathLookup(container).kind(path)) !== undefined) throw new Fault('EEXIST')
  await container.mkdir(path)
}

export async function unlink({ container, versions }: Store, path: string): Promise<void> {
  if ((await new PathLookup(container).existing(path)) === 'dir') throw new Fault('EISDIR')
  await container.remove(path)
  versions.gone(path)
}

export async function rmdir({ container }: Store, path: string): Promise<void> {
  const look = new PathLookup(container)
  const kind = await look.existing(path)
  if (path === '/') throw new Fault('EBUSY')
  if (kind !== 'dir') throw new Fault('ENOTDIR')
  if ((await look.list(path)).size > 0) throw new Fault('ENOTEMPTY')
  await container.removeTree(path)
}

/** Removes symlinks one by one before everything else, so that the recursive removal cannot follow a symlink. */
export async function rmTree({ container, versions }: Store, path: string): Promise<void> {
  const look = new PathLookup(container)
  const kind = await look.existing(path)
  if (path === '/') throw new Fault('EBUSY')
  if (kind === 'dir') {
    for (const link of await linksBelow(look, path)) await container.remove(link)
    await container.removeTree(path)
  } else await container.remove(path)
  versions.gone(path)
}

async function linksBelow(look: PathLookup, path: string): Promise<string[]> {
  const links: string[] = []
  const open = [path]
  while (open.length > 0) {
    const some = open.splice(-LISTED_AT_ONCE)
    const listings = await Promise.all(some.map((folder) => look.list(folder)))
    for (const [i, listing] of listings.entries()) {
      for (const [name, kind] of listing) {
        if (kind !== 'file') (kind === 'dir' ? open : links).push(joinPath(some[i] as string, name))
      }
    }
  }
  return links
}

/** Checks itself whether the target may be replaced, because the container's behaviour for invalid replacements is unknown. */
export async function rename({ container, versions }: Store, from: string, to: string): Promise<void> {
  const look = new PathLookup(container)
  const kind = await look.kind(from)
  const replaced = await look.kind(to)
  if (from === '/' || to === '/') throw new Fault('EBUSY')
  if (kind === undefined) throw new Fault('ENOENT')
  if (from === to) return
  if (to.startsWith(`${from}/`)) throw new Fault('EINVAL', 'a directory cannot go into itself')
  if (replaced !== undefined) await checkReplaced(look, kind, to, replaced)
  await container.rename(from, to)
  versions.moved(from, to)
}

async function checkReplaced(look: PathLookup, kind: FileKind, to: string, replaced: FileKind): Promise<void> {
  if (kind !== 'dir' && replaced === 'dir') throw new Fault('EISDIR')
  if (kind === 'dir' && replaced !== 'dir') throw new Fault('ENOTDIR')
  if (kind === 'dir' && (await look.list(to)).size > 0) throw new Fault('ENOTEMPTY')
}
