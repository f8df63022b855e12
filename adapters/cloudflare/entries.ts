import type { FsErrorCode } from '../../src/errors/index.js'
import type { FileKind, FsEntry, FsStat, FsUsage } from '../../src/types/fs.js'
import { dropChunks } from './content-chunks.js'
import type { Database } from './database.js'
import { Fault } from './faults.js'
import { checkText, type Directory, find, locate, type Node, type Spot } from './lookup.js'
import { ROOT } from './schema.js'

const DIR_MODE = 0o755
const LINK_MODE = 0o777
const PERMISSION_BITS = 0o7777

const encoder = new TextEncoder()

interface NewNode {
  readonly kind: FileKind
  readonly size: number
  readonly mode: number
  readonly version?: string
  readonly target?: string
}

/** Adds an entry, updates the totals of the filesystem, and returns the entry's id. */
export function addNode(db: Database, { place, directory }: Spot, node: NewNode): number {
  const id = Number(db.first(db.queries.nextId, node.kind === 'file' ? node.size : 0)[0])
  const now = db.now()
  const { kind, size, mode, version = null, target = null } = node
  db.exec(db.queries.addNode, place.parent, place.name, id, kind, size, now, mode, version, target)
  touch(db, directory, now)
  return id
}

/**
 * Sets the modification time of a directory, but only if it differs: the clock of an object stands still during an event, so many changes
 * of one directory cause only one write.
 */
function touch(db: Database, { parent, name, mtime }: Directory, now: number): void {
  if (mtime !== now) db.exec(db.queries.touch, now, parent, name)
}

export function lstat(db: Database, path: string): FsStat {
  const { kind, size, mtime, mode, version } = find(db, path)
  return { kind, size, mtimeMs: mtime, mode, ...(version === null ? {} : { version }) }
}

export function readdir(db: Database, path: string): FsEntry[] {
  const { id, kind } = find(db, path)
  if (kind !== 'dir') throw new Fault(kind === 'symlink' ? 'ELOOP' : 'ENOTDIR')
  // The column names match the properties of FsEntry.
  return db.rows(db.queries.list, id) as unknown as FsEntry[]
}

export function mkdir(db: Database, path: string): void {
  const spot = locate(db, path)
  if (spot.node) throw new Fault('EEXIST')
  addNode(db, spot, { kind: 'dir', size: 0, mode: DIR_MODE })
}

export function symlink(db: Database, target: string, path: string): void {
  if (target === '') throw new Fault('ENOENT', 'the target is empty')
  checkText(target, 'the target')
  const spot = locate(db, path)
  if (spot.node) throw new Fault('EEXIST')
  addNode(db, spot, { kind: 'symlink', size: encoder.encode(target).length, mode: LINK_MODE, target })
}

export function readlink(db: Database, path: string): string {
  const { target } = find(db, path)
  if (target === null) throw new Fault('EINVAL', 'it is not a link')
  return target
}

export function unlink(db: Database, path: string): void {
  remove(db, path, (node) => (node.kind === 'dir' ? 'EISDIR' : undefined))
}

export function rmdir(db: Database, path: string): void {
  remove(db, path, (node) =>
    node.id === ROOT.id ? 'EBUSY' : node.kind !== 'dir' ? 'ENOTDIR' : isEmpty(db, node) ? undefined : 'ENOTEMPTY',
  )
}

export function rmTree(db: Database, path: string): void {
  remove(db, path, (node) => (node.id === ROOT.id ? 'EBUSY' : undefined))
}

function remove(db: Database, path: string, refusal: (node: Node) => FsErrorCode | undefined): void {
  const { node, directory } = locate(db, path)
  const code = node ? refusal(node) : 'ENOENT'
  if (!node || code) throw new Fault(code ?? 'ENOENT')
  drop(db, node)
  touch(db, directory, db.now())
}

/** Removes an entry and everything below it. */
function drop(db: Database, node: Node): void {
  let bytes = 0
  let files = 1
  if (node.kind === 'dir') {
    const [entries, sum] = db.first(db.queries.measureTree, node.id)
    files += Number(entries)
    bytes = Number(sum)
    if (bytes > 0) db.exec(db.queries.dropTreeChunks, node.id)
    if (files > 1) db.exec(db.queries.dropTree, node.id)
  } else if (node.kind === 'file') {
    bytes = node.size
    if (bytes > 0) dropChunks(db, node.id)
  }
  db.exec(db.queries.remove, node.parent, node.name)
  db.exec(db.queries.count, -bytes, -files)
}

function isEmpty(db: Database, node: Node): boolean {
  return db.first(db.queries.anyChild, node.id).length === 0
}

/** Changes only one row, regardless of the size of a moved directory. */
export function rename(db: Database, from: string, to: string): void {
  const source = locate(db, from)
  const target = locate(db, to)
  if (from === '/' || to === '/') throw new Fault('EBUSY')
  if (!source.node) throw new Fault('ENOENT')
  if (from === to) return
  if (to.startsWith(`${from}/`)) throw new Fault('EINVAL', 'a directory cannot go into itself')
  const code = target.node && refusalToReplace(db, source.node, target.node)
  if (code) throw new Fault(code)
  if (target.node) drop(db, target.node)
  db.exec(db.queries.move, target.place.parent, target.place.name, source.place.parent, source.place.name)
  const now = db.now()
  touch(db, source.directory, now)
  if (source.place.parent !== target.place.parent) touch(db, target.directory, now)
}

function refusalToReplace(db: Database, node: Node, replaced: Node): FsErrorCode | undefined {
  if (node.kind !== 'dir') return replaced.kind === 'dir' ? 'EISDIR' : undefined
  if (replaced.kind !== 'dir') return 'ENOTDIR'
  return isEmpty(db, replaced) ? undefined : 'ENOTEMPTY'
}

export function setMeta(db: Database, path: string, { mode, mtimeMs }: { readonly mode?: number; readonly mtimeMs?: number }): void {
  const node = find(db, path)
  if (node.kind === 'symlink') throw new Fault('ELOOP')
  if (mode !== undefined && (mode & PERMISSION_BITS) !== mode) throw new Fault('ENOTSUP', 'only permission bits are kept')
  if (mtimeMs !== undefined && !Number.isFinite(mtimeMs)) throw new Fault('EINVAL', 'the time is not a number')
  if (mode === undefined && mtimeMs === undefined) return
  db.exec(db.queries.setMeta, mode ?? null, mtimeMs ?? null, node.parent, node.name)
}

export function usage(db: Database): FsUsage {
  const [bytes, files] = db.first(db.queries.usage)
  return { bytes: Number(bytes), files: Number(files) }
}
