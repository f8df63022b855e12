import type { FsErrorCode } from '../../errors/index.js'
import type { FileKind, FsStat } from '../../types/fs.js'
import { baseName, joinPath } from '../paths.js'
import { entryStat, existing, ownFile } from './contents.js'
import { listDir } from './lookup.js'
import { Refusal } from './lower.js'
import { Dir, Link, MovedFile, type Node } from './nodes.js'
import { contentThen, stampOf } from './stamps.js'
import type { Entry, OverlayTree } from './tree.js'
import { weightOf } from './usage.js'

const PERMISSION_BITS = 0o7777

export function mkdir(tree: OverlayTree, path: string): Promise<void> {
  return make(tree, path, () => Dir.made(tree.now()))
}

export async function symlink(tree: OverlayTree, target: string, path: string): Promise<void> {
  if (target === '') throw new Refusal('ENOENT', 'the target is empty')
  await make(tree, path, () => new Link(target, tree.now()))
}

async function make(tree: OverlayTree, path: string, create: () => Link | Dir): Promise<void> {
  const parent = await tree.ownParent(path)
  if (await tree.at(parent, path)) throw new Refusal('EEXIST')
  const node = create()
  await tree.put(parent, path, node, undefined)
  parent.mtimeMs = node.mtimeMs
  tree.count(0, 1)
}

export function unlink(tree: OverlayTree, path: string): Promise<void> {
  return remove(tree, path, (kind) => (kind === 'dir' ? 'EISDIR' : undefined))
}

export function rmdir(tree: OverlayTree, path: string): Promise<void> {
  return remove(tree, path, (kind) => (path === '/' ? 'EBUSY' : kind !== 'dir' ? 'ENOTDIR' : undefined), true)
}

export function rmTree(tree: OverlayTree, path: string): Promise<void> {
  return remove(tree, path, () => (path === '/' ? 'EBUSY' : undefined))
}

async function remove(
  tree: OverlayTree,
  path: string,
  refusal: (kind: FileKind) => FsErrorCode | undefined,
  mustBeEmpty = false,
): Promise<void> {
  const parent = await tree.ownParent(path)
  const was = await existing(tree, parent, path)
  const code = refusal(kindOf(was))
  if (code) throw new Refusal(code)
  if (mustBeEmpty && !(await isEmpty(tree, was))) throw new Refusal('ENOTEMPTY')
  const { bytes, files } = tree.total ? await weightOf(tree, was) : { bytes: 0, files: 0 }
  await stampAll(tree, was)
  tree.hide(parent, path)
  parent.mtimeMs = tree.now()
  tree.count(-bytes, -files)
}

export async function rename(tree: OverlayTree, from: string, to: string): Promise<void> {
  const [source, target] = [await tree.ownParent(from), await tree.ownParent(to)]
  if (from === '/' || to === '/') throw new Refusal('EBUSY')
  const was = await existing(tree, source, from)
  if (from === to) return
  if (to.startsWith(`${from}/`)) throw new Refusal('EINVAL', 'a directory cannot go into itself')
  const replaced = await tree.at(target, to)
  if (replaced) await refuseToReplace(tree, was, replaced)
  const { bytes, files } = tree.total && replaced ? await weightOf(tree, replaced) : { bytes: 0, files: 0 }
  const node = await nodeOf(tree, was)
  if (replaced) await stampAll(tree, replaced)
  await leave(tree, source, from, was)
  await arrive(tree, target, to, node, replaced)
  source.mtimeMs = target.mtimeMs = tree.now()
  tree.count(-bytes, -files)
}

/**
 * Returns the node for a moved entry. A moved tree is not copied: it stays in the lower storage, and the overlay shows it under the new
 * name.
 */
async function nodeOf(tree: OverlayTree, { node, ...through }: Entry): Promise<Node> {
  if (node) return node
  const { path, stat } = through as Extract<Entry, { readonly path: string }>
  if (stat.kind === 'dir') return Dir.over(path)
  return stat.kind === 'file' ? new MovedFile(path) : new Link(await tree.lower.readlink(path), stat.mtimeMs)
}

async function leave(tree: OverlayTree, parent: Dir, path: string, { node, stat }: Entry): Promise<void> {
  if (parent.origin !== undefined) {
    const origin = joinPath(parent.origin, baseName(path))
    if (stat) {
      // Record a link's target now, because a moved link is copied. Other moved entries keep showing the lower storage, so their later
      // changes are not lost.
      if (stat.kind === 'symlink') tree.stamps.note(origin, await stampOf(tree.lower, origin, stat))
      else tree.stamps.noteMoved(origin, stat)
    } else if (node.kind === 'dir' && node.origin === origin) tree.stamps.noteMoved(origin, node)
  }
  tree.hide(parent, path)
}

async function arrive(tree: OverlayTree, parent: Dir, path: string, node: Node, replaced: Entry | undefined): Promise<void> {
  const home = parent.origin === undefined ? undefined : joinPath(parent.origin, baseName(path))
  const isHome = (node.kind === 'moved' || node.kind === 'dir') && node.origin !== undefined && node.origin === home
  if (!isHome) return tree.put(parent, path, node, replaced)
  // The entry was moved back to its origin. Only changes inside the directory, if any, remain as differences.
  const key = tree.keyOf(baseName(path))
  if (node.kind === 'moved' || node.isBare) parent.children.delete(key)
  else parent.children.set(key, { name: baseName(path), node })
  tree.stamps.drop(home as string)
}

async function refuseToReplace(tree: OverlayTree, was: Entry, replaced: Entry): Promise<void> {
  if (kindOf(was) !== 'dir') {
    if (kindOf(replaced) === 'dir') throw new Refusal('EISDIR')
  } else if (kindOf(replaced) !== 'dir') throw new Refusal('ENOTDIR')
  else if (!(await isEmpty(tree, replaced))) throw new Refusal('ENOTEMPTY')
}

export async function setMeta(
  tree: OverlayTree,
  path: string,
  { mode, mtimeMs }: { readonly mode?: number; readonly mtimeMs?: number },
): Promise<void> {
  const parent = await tree.ownParent(path)
  const was = await existing(tree, parent, path)
  const kind = kindOf(was)
  if (kind === 'symlink') throw new Refusal('ELOOP')
  if (mode !== undefined && (!tree.keepsMode || (mode & PERMISSION_BITS) !== mode)) {
    throw new Refusal('ENOTSUP', tree.keepsMode ? 'only permission bits are kept' : 'the storage keeps no permission bits')
  }
  if (mtimeMs !== undefined && !Number.isFinite(mtimeMs)) throw new Refusal('EINVAL', 'the time is not a number')
  const node = kind === 'dir' ? await tree.ownDir(path) : await ownFile(tree, parent, path)
  if (mode !== undefined) node.mode = mode
  if (mtimeMs !== undefined) node.mtimeMs = mtimeMs
}

function kindOf({ node, stat }: Entry): FileKind {
  if (stat) return stat.kind
  return node.kind === 'moved' ? 'file' : node.kind
}

async function isEmpty(tree: OverlayTree, { node, ...through }: Entry): Promise<boolean> {
  if (node) return (await listDir(tree, node as Dir)).length === 0
  return (await tree.lower.list((through as { readonly path: string }).path)).length === 0
}

/** Maximum number of bytes of file content to read for one removal. */
const MOST_READ = 16 * 1024 * 1024

/**
 * Records the lower storage's state of all removed entries, so that a commit notices changes by others. Reads files up to `room` bytes in
 * total. For the other files, a new modification time counts as a change.
 */
export async function stampAll(tree: OverlayTree, entry: Entry, room: { left: number } = { left: MOST_READ }): Promise<void> {
  const { node } = entry
  if (!node) {
    const { path, stat } = entry
    await stampFile(tree, path, stat, room)
    if (stat.kind === 'dir') await stampBelow(tree, path, () => undefined, room)
  } else if (node.kind === 'moved') {
    await stampFile(tree, node.origin, await entryStat(tree, entry), room)
  } else if (node.kind === 'dir') {
    if (node.origin !== undefined) {
      tree.stamps.note(node.origin, 'dir')
      await stampBelow(tree, node.origin, (name) => node.children.get(tree.keyOf(name)), room)
    }
    for (const child of node.children.values()) if (child.node.kind !== 'gone') await stampAll(tree, { node: child.node }, room)
  }
}

async function stampFile(tree: OverlayTree, path: string, stat: FsStat, room: { left: number }): Promise<void> {
  const then = room.left >= stat.size ? await contentThen(tree.lower, path, stat) : undefined
  room.left -= then?.length ?? 0
  tree.stamps.note(path, await stampOf(tree.lower, path, stat, then))
}

async function stampBelow(tree: OverlayTree, path: string, own: (name: string) => unknown, room: { left: number }): Promise<void> {
  for (const { name } of await tree.lower.list(path)) {
    if (own(name) !== undefined) continue
    const below = joinPath(path, name)
    const stat = await tree.lower.find(below)
    if (stat) await stampAll(tree, { path: below, stat }, room)
  }
}
