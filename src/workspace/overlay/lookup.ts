import type { FsEntry, FsOther, FsStat, ReadOptions } from '../../types/fs.js'
import { Refusal } from './lower.js'
import { type Child, type Dir, MovedFile, type Node } from './nodes.js'
import type { OverlayTree } from './tree.js'

export async function lstat(tree: OverlayTree, path: string): Promise<FsStat> {
  const found = tree.find(path)
  if (typeof found === 'string') throw new Refusal(found)
  return found.kind === 'through' ? tree.lower.lstat(found.path) : statOf(tree, found)
}

export async function statOf(tree: OverlayTree, node: Node): Promise<FsStat> {
  if (node.kind === 'moved') {
    const stat = await tree.lower.lstat(node.origin)
    // Another entry has replaced the file that was moved.
    if (stat.kind !== 'file') throw new Refusal('ENOENT')
    return stat
  }
  if (node.kind === 'dir') return statOfDir(tree, node)
  const { kind, size, mtimeMs, mode } = node
  return { kind, size, mtimeMs, ...(tree.keepsMode && { mode }), ...(node.kind === 'file' && { version: node.version }) }
}

async function statOfDir(tree: OverlayTree, dir: Dir): Promise<FsStat> {
  const knows = dir.mtimeMs !== undefined && (dir.mode !== undefined || !tree.keepsMode) && dir.hasVisible
  const asks = dir.origin !== undefined && !knows
  const below = asks ? await tree.lower.find(dir.origin as string) : undefined
  // Somebody removed the directory from the lower storage, and the overlay has no entry in it either.
  if (asks && below?.kind !== 'dir' && !dir.hasVisible) throw new Refusal('ENOENT')
  const { mode, ...stat } = dir.stat(below?.kind === 'dir' ? below : undefined)
  return { ...stat, ...(tree.keepsMode && { mode }) }
}

export async function readdir(tree: OverlayTree, path: string): Promise<(FsEntry | FsOther)[]> {
  const found = tree.find(path)
  if (typeof found === 'string') throw new Refusal(found)
  if (found.kind === 'through') return tree.lower.readdir(found.path)
  if (found.kind !== 'dir') throw new Refusal(found.kind === 'symlink' ? 'ELOOP' : 'ENOTDIR')
  return listDir(tree, found)
}

export async function listDir(tree: OverlayTree, dir: Dir): Promise<(FsEntry | FsOther)[]> {
  // Copy the children before reading the lower storage, because a change may happen in between.
  const children = new Map(dir.children)
  const below = dir.origin === undefined ? [] : await tree.lower.list(dir.origin)
  const entries = below.filter(({ name }) => !children.has(tree.keyOf(name)))
  for (const child of children.values()) {
    const entry = entryOf(child) ?? (await entryBelow(tree, child))
    if (entry) entries.push(entry)
  }
  return entries
}

/** Returns the listed entry of a child. Undefined: the lower storage has to be read. */
function entryOf({ name, node }: Child): FsEntry | undefined {
  if (node.kind === 'gone' || node.kind === 'moved') return undefined
  if (node.kind !== 'dir') return { name, kind: node.kind, size: node.size }
  return node.origin === undefined || node.hasVisible ? { name, kind: 'dir', size: 0 } : undefined
}

/** Reads the listed entry of a child from the lower storage. Undefined: the entry is missing there, and the overlay has nothing in it. */
async function entryBelow(tree: OverlayTree, { name, node }: Child): Promise<FsEntry | undefined> {
  if (node.kind !== 'moved' && node.kind !== 'dir') return undefined
  const stat = await tree.lower.find(node.origin as string)
  const kind = node.kind === 'dir' ? 'dir' : 'file'
  return stat?.kind === kind ? { name, kind, size: stat.size } : undefined
}

export async function read(tree: OverlayTree, path: string, options: ReadOptions | undefined): Promise<Uint8Array> {
  const found = tree.find(path)
  if (typeof found === 'string') throw new Refusal(found)
  if (found.kind === 'through') return tree.lower.read(found.path, options)
  return readNode(tree, found, options)
}

export async function readNode(tree: OverlayTree, node: Node, options?: ReadOptions): Promise<Uint8Array> {
  if (node.kind === 'dir') throw new Refusal('EISDIR')
  if (node.kind === 'symlink') throw new Refusal('ELOOP')
  if (node instanceof MovedFile) return tree.lower.read(node.origin, options)
  const { offset = 0, length = node.size } = options ?? {}
  if (!(offset >= 0 && length >= 0)) throw new Refusal('EINVAL', 'offset and length must be 0 or more')
  return node.bytes.slice(Math.min(offset, node.size), Math.min(offset + length, node.size))
}

export async function readlink(tree: OverlayTree, path: string): Promise<string> {
  const found = tree.find(path)
  if (typeof found === 'string') throw new Refusal(found)
  if (found.kind === 'through') return tree.lower.readlink(found.path)
  if (found.kind !== 'symlink') throw new Refusal('EINVAL', 'it is not a link')
  return found.target
}
