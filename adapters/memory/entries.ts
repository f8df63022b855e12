import type { FsErrorCode } from '../../src/errors/index.js'
import type { FsEntry, FsStat } from '../../src/types/fs.js'
import { DirNode, type Inode, LinkNode } from './inode.js'
import { fail, nameOf, type Tree } from './tree.js'

const PERMISSION_BITS = 0o7777

export function lstat(tree: Tree, path: string): FsStat {
  return tree.find('stat', path).stat()
}

export function readdir(tree: Tree, path: string): FsEntry[] {
  const node = tree.find('list', path)
  if (node.kind !== 'dir') throw fail(node.kind === 'symlink' ? 'ELOOP' : 'ENOTDIR', 'list', path)
  return node.list()
}

export function mkdir(tree: Tree, path: string): void {
  make(tree, 'make directory', path, () => new DirNode(tree.epoch, tree.now()))
}

export function symlink(tree: Tree, target: string, path: string): void {
  if (target === '') throw fail('ENOENT', 'link', path, undefined, 'the target is empty')
  make(tree, 'link', path, () => new LinkNode(target, tree.now()))
}

function make(tree: Tree, op: string, path: string, create: () => Inode): void {
  const parent = tree.parent(op, path)
  const name = nameOf(path)
  if (name === '' || parent.get(name)) throw fail('EEXIST', op, path)
  tree.reserve(0, 1, op, path)
  tree.add(parent, name, create())
}

export function readlink(tree: Tree, path: string): string {
  const node = tree.find('read link', path)
  if (node.kind !== 'symlink') throw fail('EINVAL', 'read link', path, undefined, 'it is not a link')
  return node.target
}

export function unlink(tree: Tree, path: string): void {
  remove(tree, path, (node) => (node.kind === 'dir' ? 'EISDIR' : undefined))
}

export function rmdir(tree: Tree, path: string): void {
  remove(tree, path, (node) =>
    node === tree.root ? 'EBUSY' : node.kind !== 'dir' ? 'ENOTDIR' : node.count === 0 ? undefined : 'ENOTEMPTY',
  )
}

export function rmTree(tree: Tree, path: string): void {
  remove(tree, path, (node) => (node === tree.root ? 'EBUSY' : undefined))
}

function remove(tree: Tree, path: string, refusal: (node: Inode) => FsErrorCode | undefined): void {
  const parent = tree.parent('remove', path)
  const name = nameOf(path)
  const node = name === '' ? parent : parent.get(name)
  const code = node ? refusal(node) : 'ENOENT'
  if (!node || code) throw fail(code ?? 'ENOENT', 'remove', path)
  tree.remove(parent, name, node)
}

export function rename(tree: Tree, from: string, to: string): void {
  const source = tree.walk(from, true)
  if (typeof source === 'string') throw fail(source, 'move', from, to)
  const target = tree.walk(to, true)
  if (typeof target === 'string') throw fail(target, 'move', from, to)
  if (from === '/' || to === '/') throw fail('EBUSY', 'move', from, to)
  const [oldName, newName] = [nameOf(from), nameOf(to)]
  const node = source.get(oldName)
  if (node === undefined) throw fail('ENOENT', 'move', from, to)
  if (from === to) return
  if (to.startsWith(`${from}/`)) throw fail('EINVAL', 'move', from, to, 'a directory cannot go into itself')
  const replaced = target.get(newName)
  const code = replaced && refusalToReplace(node, replaced)
  if (code) throw fail(code, 'move', from, to)
  if (replaced) tree.remove(target, newName, replaced)
  source.delete(oldName)
  target.set(newName, node)
  source.mtimeMs = target.mtimeMs = tree.now()
}

function refusalToReplace(node: Inode, replaced: Inode): FsErrorCode | undefined {
  if (node.kind !== 'dir') return replaced.kind === 'dir' ? 'EISDIR' : undefined
  if (replaced.kind !== 'dir') return 'ENOTDIR'
  return replaced.count === 0 ? undefined : 'ENOTEMPTY'
}

export function setMeta(tree: Tree, path: string, { mode, mtimeMs }: { readonly mode?: number; readonly mtimeMs?: number }): void {
  const op = 'change'
  const old = tree.find(op, path)
  if (old.kind === 'symlink') throw fail('ELOOP', op, path)
  if (mode !== undefined && (mode & PERMISSION_BITS) !== mode) throw fail('ENOTSUP', op, path, undefined, 'only permission bits are kept')
  if (mtimeMs !== undefined && !Number.isFinite(mtimeMs)) throw fail('EINVAL', op, path, undefined, 'the time is not a number')
  const parent = tree.parent(op, path)
  const name = nameOf(path)
  const node = name === '' ? parent : old.kind === 'dir' ? tree.ownDir(parent, name, old) : tree.ownFile(parent, name, old)
  if (mode !== undefined) node.mode = mode
  if (mtimeMs !== undefined) node.mtimeMs = mtimeMs
}
