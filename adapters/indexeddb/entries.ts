import type { FsErrorCode } from '../../src/errors/index.js'
import type { FsEntry, FsUsage } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import type { Change } from './change.js'
import type { Node } from './nodes.js'
import { nameIn, type Tree } from './tree.js'

const DIR_MODE = 0o755
const LINK_MODE = 0o777
const PERMISSION_BITS = 0o7777

const encoder = new TextEncoder()

export function readdir(tree: Tree, path: string): FsEntry[] {
  const node = tree.find(path)
  if (node.kind !== 'dir') throw new Fault(node.kind === 'symlink' ? 'ELOOP' : 'ENOTDIR')
  return Array.from(node.entries, ([name, { kind, size }]) => ({ name, kind, size }))
}

export function readlink(tree: Tree, path: string): string {
  const node = tree.find(path)
  if (node.kind !== 'symlink') throw new Fault('EINVAL', 'it is not a link')
  return node.target
}

export function usage({ bytes, files }: Tree): FsUsage {
  return { bytes, files }
}

export function mkdir(change: Change, path: string): void {
  make(change, path, (entry) => ({ ...entry, kind: 'dir', size: 0, mode: DIR_MODE, entries: new Map() }))
}

export function symlink(change: Change, target: string, path: string): void {
  if (target === '') throw new Fault('ENOENT', 'the target is empty')
  make(change, path, (entry) => ({ ...entry, kind: 'symlink', size: encoder.encode(target).length, mode: LINK_MODE, target }))
}

function make(change: Change, path: string, create: (entry: { id: number; parent: number; name: string; mtimeMs: number }) => Node): void {
  const { tree } = change
  const { parent, name, node } = tree.at(path)
  if (node) throw new Fault('EEXIST')
  change.add(parent, create({ id: tree.nextId(), parent: parent.id, name, mtimeMs: tree.now() }))
}

export function unlink(change: Change, path: string): void {
  remove(change, path, (node) => (node.kind === 'dir' ? 'EISDIR' : undefined))
}

export function rmdir(change: Change, path: string): void {
  const { root } = change.tree
  remove(change, path, (node) =>
    node === root ? 'EBUSY' : node.kind !== 'dir' ? 'ENOTDIR' : node.entries.size === 0 ? undefined : 'ENOTEMPTY',
  )
}

export function rmTree(change: Change, path: string): void {
  remove(change, path, (node) => (node === change.tree.root ? 'EBUSY' : undefined))
}

function remove(change: Change, path: string, refusal: (node: Node) => FsErrorCode | undefined): void {
  const { parent, node } = change.tree.at(path)
  const code = node ? refusal(node) : 'ENOENT'
  if (!node || code) throw new Fault(code ?? 'ENOENT')
  change.remove(parent, node, change.tree.now())
}

/** Changes only one node and the times of the directories, regardless of the size of a moved directory. */
export function rename(change: Change, from: string, to: string): void {
  const { tree } = change
  const source = tree.at(from)
  const target = tree.at(to)
  if (from === '/' || to === '/') throw new Fault('EBUSY')
  if (!source.node) throw new Fault('ENOENT')
  if (from === to) return
  if (to.startsWith(`${from}/`)) throw new Fault('EINVAL', 'a directory cannot go into itself')
  const code = target.node && refusalToReplace(source.node, target.node)
  if (code) throw new Fault(code)
  const now = tree.now()
  if (target.node) change.remove(target.parent, target.node, now)
  change.move(source.node, source.parent, target.parent, nameIn(to), now)
}

function refusalToReplace(node: Node, replaced: Node): FsErrorCode | undefined {
  if (node.kind !== 'dir') return replaced.kind === 'dir' ? 'EISDIR' : undefined
  if (replaced.kind !== 'dir') return 'ENOTDIR'
  return replaced.entries.size === 0 ? undefined : 'ENOTEMPTY'
}

export function setMeta(change: Change, path: string, { mode, mtimeMs }: { readonly mode?: number; readonly mtimeMs?: number }): void {
  const node = change.tree.find(path)
  if (node.kind === 'symlink') throw new Fault('ELOOP')
  if (mode !== undefined && (mode & PERMISSION_BITS) !== mode) throw new Fault('ENOTSUP', 'only permission bits are kept')
  if (mtimeMs !== undefined && !Number.isFinite(mtimeMs)) throw new Fault('EINVAL', 'the time is not a number')
  if (mode === undefined && mtimeMs === undefined) return
  change.set<Node>(node, { ...(mode !== undefined && { mode }), ...(mtimeMs !== undefined && { mtimeMs }) })
}
