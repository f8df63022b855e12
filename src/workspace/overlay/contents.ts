import { growBytes } from '../../ops/bytes.js'
import type { CreateMode, FsStat } from '../../types/fs.js'
import { statOf } from './lookup.js'
import { Refusal } from './lower.js'
import { type Dir, OwnFile } from './nodes.js'
import { contentThen, stampOf } from './stamps.js'
import type { Entry, OverlayTree } from './tree.js'

/** Writes a file. The tree takes ownership of `bytes`. */
export async function write(tree: OverlayTree, path: string, bytes: Uint8Array, create: CreateMode): Promise<void> {
  const parent = await tree.ownParent(path)
  const was = await tree.at(parent, path)
  if (!was) {
    if (create === 'never') throw new Refusal('ENOENT')
    return addFile(tree, parent, path, bytes)
  }
  if (create === 'exclusive') throw new Refusal('EEXIST')
  refuseOther(was)
  await replace(tree, parent, path, was, bytes)
}

/** Appends to a file. Copies its existing content into the overlay first. */
export async function append(tree: OverlayTree, path: string, bytes: Uint8Array): Promise<void> {
  const parent = await tree.ownParent(path)
  const file = await ownFile(tree, parent, path)
  const size = file.size + bytes.length
  const room = growBytes(file.bytes, file.size, size)
  room.set(bytes, file.size)
  tree.fill(file, room, size)
}

/** Copies a file. The tree owns the copy: later changes of the file in the lower storage do not affect the copy. */
export async function copy(tree: OverlayTree, from: string, to: string): Promise<void> {
  const source = await existing(tree, await tree.ownParent(from), from)
  refuseOther(source)
  const parent = await tree.ownParent(to)
  if (from === to) return
  const was = await tree.at(parent, to)
  if (was) refuseOther(was)
  const { mode } = await entryStat(tree, source)
  const bytes = await contentOf(tree, source)
  if (was) await replace(tree, parent, to, was, bytes, mode)
  else await addFile(tree, parent, to, bytes, mode)
}

/** Returns the file as a node with its own content. If the overlay does not have the content, reads it once from the lower storage. */
export async function ownFile(tree: OverlayTree, parent: Dir, path: string): Promise<OwnFile> {
  const was = await existing(tree, parent, path)
  refuseOther(was)
  if (was.node instanceof OwnFile) return was.node
  // Read the state before the content: a change in between then causes a conflict instead of a lost update.
  const stat = await entryStat(tree, was)
  const bytes = await contentOf(tree, was)
  const file = new OwnFile(bytes, { ...modeOf(stat), mtimeMs: stat.mtimeMs, version: stat.version ?? tree.nextVersion() })
  await adopt(tree, parent, path, was, stat, file, bytes)
  tree.count(bytes.length - stat.size, 0)
  return file
}

async function replace(tree: OverlayTree, parent: Dir, path: string, was: Entry, bytes: Uint8Array, mode?: number): Promise<void> {
  if (was.node instanceof OwnFile) {
    if (mode !== undefined) was.node.mode = mode
    return tree.fill(was.node, bytes, bytes.length)
  }
  const stat = await entryStat(tree, was)
  const meta = { ...modeOf(stat), ...(mode !== undefined && { mode }), mtimeMs: tree.now(), version: tree.nextVersion() }
  const origin = originOf(was)
  const then = origin === undefined ? undefined : await contentThen(tree.lower, origin, stat)
  await adopt(tree, parent, path, was, stat, new OwnFile(bytes, meta), then)
  tree.count(bytes.length - stat.size, 0)
}

/** Replaces a file of the lower storage by a file with its own content. */
async function adopt(
  tree: OverlayTree,
  parent: Dir,
  path: string,
  was: Entry,
  stat: FsStat,
  file: OwnFile,
  then: Uint8Array | undefined,
): Promise<void> {
  file.base = originOf(was)
  if (file.base !== undefined) tree.stamps.note(file.base, await stampOf(tree.lower, file.base, stat, then))
  await tree.put(parent, path, file, was.node ? was : { path: was.path, stat })
}

/** Returns the path of the file in the lower storage. Undefined: the overlay has the content. */
function originOf(entry: Entry): string | undefined {
  if (!entry.node) return entry.path
  return entry.node.kind === 'moved' ? entry.node.origin : undefined
}

async function addFile(tree: OverlayTree, parent: Dir, path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  const mtimeMs = tree.now()
  const file = new OwnFile(bytes, { ...(mode !== undefined && { mode }), mtimeMs, version: tree.nextVersion() })
  await tree.put(parent, path, file, undefined)
  parent.mtimeMs = mtimeMs
  tree.count(bytes.length, 1)
}

const modeOf = ({ mode }: FsStat): { readonly mode?: number } => (mode === undefined ? {} : { mode })

export async function existing(tree: OverlayTree, parent: Dir, path: string): Promise<Entry> {
  const found = await tree.at(parent, path)
  if (!found) throw new Refusal('ENOENT')
  return found
}

export function entryStat(tree: OverlayTree, { node, stat }: Entry): Promise<FsStat> | FsStat {
  return stat ?? statOf(tree, node)
}

async function contentOf(tree: OverlayTree, { node, ...through }: Entry): Promise<Uint8Array> {
  if (node instanceof OwnFile) return node.content().slice()
  if (node?.kind === 'moved') return tree.lower.read(node.origin)
  return tree.lower.read((through as { readonly path: string }).path)
}

/** Rejects entries other than files. */
function refuseOther({ node, stat }: Entry): void {
  const kind = stat?.kind ?? node?.kind
  if (kind === 'dir') throw new Refusal('EISDIR')
  if (kind === 'symlink') throw new Refusal('ELOOP')
}
