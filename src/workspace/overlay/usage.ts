import type { FsUsage } from '../../types/fs.js'
import { joinPath } from '../paths.js'
import type { Dir, Node } from './nodes.js'
import type { Entry, OverlayTree } from './tree.js'

const NOTHING: FsUsage = { bytes: 0, files: 0 }

const sum = (a: FsUsage, b: FsUsage, sign = 1): FsUsage => ({ bytes: a.bytes + sign * b.bytes, files: a.files + sign * b.files })

/** Returns the usage. Counts once; after that, each change updates the total. */
export async function usage(tree: OverlayTree): Promise<FsUsage> {
  if (tree.total) return tree.total
  const { bytes, files } = await weightOfDir(tree, tree.root)
  // The root itself does not count.
  tree.total = { bytes, files: files - 1 }
  return tree.total
}

/** Measures an entry and everything below it. */
export function weightOf(tree: OverlayTree, entry: Entry): Promise<FsUsage> {
  return entry.node ? weightOfNode(tree, entry.node) : weightBelow(tree, entry.path)
}

async function weightOfNode(tree: OverlayTree, node: Node): Promise<FsUsage> {
  if (node.kind === 'dir') return weightOfDir(tree, node)
  if (node.kind === 'moved') return weightBelow(tree, node.origin)
  return { bytes: node.kind === 'file' ? node.size : 0, files: 1 }
}

/** Measures what a directory shows: its own nodes, and the entries of the lower storage that they do not hide. */
async function weightOfDir(tree: OverlayTree, dir: Dir): Promise<FsUsage> {
  const { origin } = dir
  let all: FsUsage = origin === undefined ? { bytes: 0, files: 1 } : await weightBelow(tree, origin)
  if (all.files === 0) all = { bytes: 0, files: 1 }
  for (const { name, node } of dir.children.values()) {
    if (origin !== undefined) all = sum(all, await weightBelow(tree, joinPath(origin, name)), -1)
    if (node.kind !== 'gone') all = sum(all, await weightOfNode(tree, node))
  }
  return all
}

async function weightBelow(tree: OverlayTree, path: string): Promise<FsUsage> {
  const { adapter } = tree.lower
  if (path === '/' && adapter.usage) return sum(await adapter.usage(), { bytes: 0, files: 1 })
  const stat = await tree.lower.find(path)
  if (!stat) return NOTHING
  if (stat.kind !== 'dir') return { bytes: stat.kind === 'file' ? stat.size : 0, files: 1 }
  let all: FsUsage = { bytes: 0, files: 1 }
  for (const { name, kind, size } of await tree.lower.list(path)) {
    const known = kind !== 'dir' && (size !== undefined || kind === 'symlink')
    const below = known ? { bytes: kind === 'file' ? (size ?? 0) : 0, files: 1 } : await weightBelow(tree, joinPath(path, name))
    all = sum(all, below)
  }
  return all
}
