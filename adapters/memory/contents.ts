import { growBytes } from '../../src/ops/bytes.js'
import type { CreateMode, ReadOptions } from '../../src/types/fs.js'
import { FileNode } from './inode.js'
import { fail, nameOf, type Tree } from './tree.js'

const NOTHING = new Uint8Array(0)

/**
 * Copies bytes. Does not use `slice`, because the `slice` of a Node Buffer would share the Buffer's memory. All empty files share one
 * array.
 */
const copyOf = (bytes: Uint8Array): Uint8Array => (bytes.length === 0 ? NOTHING : new Uint8Array(bytes))

export function read(tree: Tree, path: string, options: ReadOptions | undefined): Uint8Array {
  const { bytes, size } = tree.findFile('read', path)
  if (options === undefined) return size === bytes.length ? bytes.slice() : bytes.slice(0, size)
  const { offset = 0, length = size } = options
  if (!(offset >= 0 && length >= 0)) throw fail('EINVAL', 'read', path, undefined, 'offset and length must be 0 or more')
  return bytes.slice(Math.min(offset, size), Math.min(offset + length, size))
}

export function write(tree: Tree, path: string, bytes: Uint8Array, create: CreateMode, expect?: string): void {
  const parent = tree.parent('write', path)
  const name = nameOf(path)
  const old = name === '' ? parent : parent.get(name)
  if (old === undefined) {
    if (create === 'never') throw fail('ENOENT', 'write', path)
    tree.reserve(bytes.length, 1, 'write', path)
    tree.add(parent, name, new FileNode(tree.epoch, tree.now(), tree.nextVersion(), copyOf(bytes)))
    return
  }
  if (create === 'exclusive') throw fail('EEXIST', 'write', path)
  if (old.kind !== 'file') throw fail(old.kind === 'dir' ? 'EISDIR' : 'ELOOP', 'write', path)
  if (expect !== undefined && expect !== String(old.version)) throw fail('ESTALE', 'write', path)
  tree.reserve(bytes.length - old.size, 0, 'write', path)
  tree.fill(tree.ownFile(parent, name, old), copyOf(bytes), bytes.length)
}

export function append(tree: Tree, path: string, bytes: Uint8Array): void {
  const op = 'append to'
  const old = tree.findFile(op, path)
  tree.reserve(bytes.length, 0, op, path)
  const file = tree.ownFile(tree.parent(op, path), nameOf(path), old)
  const size = file.size + bytes.length
  const room = growBytes(file.bytes, file.size, size)
  room.set(bytes, file.size)
  tree.fill(file, room, size)
}

/** Copies a file. Both files share the bytes until one of them changes. */
export function copy(tree: Tree, from: string, to: string): void {
  const source = tree.findFile('copy', from, to)
  const parent = tree.walk(to, true)
  if (typeof parent === 'string') throw fail(parent, 'copy', from, to)
  if (from === to) return
  const name = nameOf(to)
  const old = name === '' ? parent : parent.get(name)
  if (old && old.kind !== 'file') throw fail(old.kind === 'dir' ? 'EISDIR' : 'ELOOP', 'copy', from, to)
  tree.reserve(source.size - (old?.size ?? 0), old ? 0 : 1, 'copy', from, to)
  const bytes = source.content()
  const file = old ? tree.ownFile(parent, name, old) : new FileNode(tree.epoch, tree.now(), tree.nextVersion(), bytes)
  file.mode = source.mode
  if (old) tree.fill(file, bytes, source.size)
  else tree.add(parent, name, file)
}
