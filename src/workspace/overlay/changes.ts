import { FsError } from '../../errors/index.js'
import { sameBytes } from '../../ops/bytes.js'
import type { EntryImage, TreeChange } from '../../types/checkpoint.js'
import type { FsStat } from '../../types/fs.js'
import { RESERVED } from '../checkpoints/engine.js'
import { joinPath } from '../paths.js'
import { statOf } from './lookup.js'
import type { Dir, Node, OwnFile } from './nodes.js'
import { modeIn } from './stamps.js'
import type { Entry, OverlayTree } from './tree.js'

/** An entry on one side of a change. Its content is in the overlay (`bytes`) or at a path of the lower storage (`origin`). */
export interface Sided extends EntryImage {
  readonly bytes?: Uint8Array
  readonly origin?: string
}

/** A change by adapter path, with the locations of its contents. */
export interface OverlayChange extends TreeChange {
  readonly before?: Sided
  readonly after?: Sided
}

/** Removes the locations of the contents from a change. */
export function imageChange({ path, before, after }: OverlayChange): TreeChange {
  const image = ({ bytes: _, origin: __, ...rest }: Sided): EntryImage => rest
  return { path, ...(before && { before: image(before) }), ...(after && { after: image(after) }) }
}

/** The differences from the current lower storage, sorted by path. The overlay must not change during the call. */
export async function changesOf(tree: OverlayTree): Promise<OverlayChange[]> {
  const changes: OverlayChange[] = []
  await compareDir(tree, '/', tree.root, changes)
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The topmost paths that may differ. A commit reads and changes only these and everything below them. */
export function topsOf(tree: OverlayTree): string[] {
  const tops: string[] = []
  const visit = (dir: Dir, path: string): void => {
    for (const { name, node } of dir.children.values()) {
      const below = joinPath(path, name)
      if (isReserved(below)) continue
      if (node.kind === 'dir' && isInPlace(node, below) && node.mode === undefined) visit(node, below)
      else tops.push(below)
    }
  }
  visit(tree.root, '/')
  return tree.root.mode === undefined ? tops : ['/']
}

export async function readSide(tree: OverlayTree, path: string, side: Sided | undefined): Promise<Uint8Array> {
  if (side?.kind !== 'file') throw new FsError({ code: 'ENOENT', op: 'read', path, detail: 'it is not a file of these changes' })
  return side.bytes ? side.bytes.slice() : tree.lower.read(side.origin as string)
}

/** Checkpoints of the overlay's own workspace are not part of its changes. */
const isReserved = (path: string): boolean => path === `/${RESERVED}`
/** Whether a directory shows the lower directory at its own path, so that only its overlay entries can differ. */
const isInPlace = ({ origin }: Dir, path: string): boolean => origin === path

async function compareDir(tree: OverlayTree, path: string, dir: Dir, into: OverlayChange[]): Promise<void> {
  const below = await tree.lower.find(path)
  if (below?.kind !== 'dir') return compareAll(tree, path, { node: dir }, into)
  if (dir.mode !== undefined && dir.mode !== below.mode) {
    const image = { kind: 'dir', size: 0 } as const
    into.push({ path, before: { ...image, ...modeOf(tree, below) }, after: { ...image, mode: dir.mode } })
  }
  for (const { name, node } of dir.children.values()) {
    const child = joinPath(path, name)
    if (isReserved(child)) continue
    if (node.kind === 'dir' && isInPlace(node, child)) await compareDir(tree, child, node, into)
    else await compareAll(tree, child, node.kind === 'gone' ? undefined : { node }, into)
  }
}

/** Compares a path, and everything below it, on both sides. */
async function compareAll(tree: OverlayTree, path: string, here: Entry | undefined, into: OverlayChange[]): Promise<void> {
  const [old, now] = [new Map<string, Sided>(), new Map<string, Sided>()]
  const stat = await tree.lower.find(path)
  if (stat) await gather(tree, path, { path, stat }, old)
  if (here) await gather(tree, path, here, now)
  for (const [at, before] of old) {
    const after = now.get(at)
    // Another program created the same directory as the overlay: its other entries are not removals.
    if (!after && tree.stamps.isInMade(at)) continue
    if (!after) into.push({ path: at, before })
    else if (!(await isSame(tree, before, after))) into.push({ path: at, before, after })
  }
  for (const [at, after] of now) if (!old.has(at)) into.push({ path: at, after })
}

/** Collects an entry and everything below it. `path` is its path in the overlay. */
async function gather(tree: OverlayTree, path: string, entry: Entry, into: Map<string, Sided>): Promise<void> {
  const { node } = entry
  if (!node) {
    into.set(path, await sidedBelow(tree, entry.path, entry.stat))
    if (entry.stat.kind === 'dir') await gatherBelow(tree, path, entry.path, () => false, into)
    return
  }
  const sided = await sidedNode(tree, node)
  if (!sided) return
  into.set(path, sided)
  if (node.kind !== 'dir') return
  if (node.origin !== undefined) await gatherBelow(tree, path, node.origin, (name) => node.children.has(tree.keyOf(name)), into)
  for (const child of node.children.values()) {
    if (child.node.kind !== 'gone') await gather(tree, joinPath(path, child.name), { node: child.node }, into)
  }
}

async function gatherBelow(
  tree: OverlayTree,
  path: string,
  origin: string,
  isHidden: (name: string) => boolean,
  into: Map<string, Sided>,
): Promise<void> {
  for (const { name, kind } of await tree.lower.list(origin)) {
    if (kind === 'other' || isHidden(name)) continue
    const below = joinPath(origin, name)
    const stat = await tree.lower.find(below)
    if (stat) await gather(tree, joinPath(path, name), { path: below, stat }, into)
  }
}

/** @returns undefined for a moved entry that another program removed from the lower storage */
async function sidedNode(tree: OverlayTree, node: Node): Promise<Sided | undefined> {
  if (node.kind === 'moved') {
    const stat = await tree.lower.find(node.origin)
    return stat?.kind === 'file' ? sidedBelow(tree, node.origin, stat) : undefined
  }
  if (node.kind === 'dir') {
    const gone = node.origin !== undefined && !node.hasVisible && (await tree.lower.find(node.origin))?.kind !== 'dir'
    return gone ? undefined : { kind: 'dir', size: 0, ...modeOf(tree, await statOf(tree, node)) }
  }
  if (node.kind === 'symlink') return { kind: 'symlink', size: node.size, target: node.target }
  // `content()` is a view on the file's buffer. It needs no copy, because these bytes never change in place.
  return { kind: 'file', size: node.size, ...modeOf(tree, { mode: await modeNow(tree, node) }), bytes: node.content() }
}

/** Returns the mode that the overlay set, or else the file's current mode in the lower storage. */
async function modeNow({ lower, stamps }: OverlayTree, { base, mode }: OwnFile): Promise<number> {
  if (base === undefined || modeIn(stamps.get(base)) !== mode) return mode
  const stat = await lower.find(base)
  return stat?.kind === 'file' ? (stat.mode ?? mode) : mode
}

async function sidedBelow(tree: OverlayTree, origin: string, stat: FsStat): Promise<Sided> {
  const { kind, size } = stat
  if (kind === 'symlink') return { kind, size, target: await tree.lower.readlink(origin) }
  return { kind, size: kind === 'dir' ? 0 : size, ...modeOf(tree, stat), ...(kind === 'file' && { origin }) }
}

async function isSame(tree: OverlayTree, a: Sided, b: Sided): Promise<boolean> {
  if (a.kind !== b.kind || a.size !== b.size || a.mode !== b.mode || a.target !== b.target) return false
  if (a.kind !== 'file' || (a.origin !== undefined && a.origin === b.origin)) return true
  const [before, after] = [await contentOf(tree, a), await contentOf(tree, b)]
  return sameBytes(before, after)
}

const contentOf = (tree: OverlayTree, { bytes, origin }: Sided): Promise<Uint8Array> | Uint8Array =>
  bytes ?? tree.lower.read(origin as string)

const modeOf = ({ keepsMode }: OverlayTree, { mode }: { readonly mode?: number }): { readonly mode?: number } =>
  keepsMode && mode !== undefined ? { mode } : {}
