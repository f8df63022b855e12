import { Fault } from '../shared/fault.js'

/** The key of a node's own attributes. All other keys of a node are names of children. */
export const STAT = 0

/** The attributes of a node, as the library stores them. */
export interface NodeStat {
  mode: number
  type: 'file' | 'dir' | 'symlink'
  size: number
  ino: number
  mtimeMs: number
  /** Target of a symlink. */
  target?: string
}

export type TreeNode = Map<string | typeof STAT, TreeNode | NodeStat>

/** The tree as the library stores it: a map with one entry, the root `/`. */
export type Superblock = Map<'/', TreeNode>

const ROOT_MODE = 0o755

export function newSuperblock(mtimeMs: number): Superblock {
  return new Map([['/', new Map([[STAT, { mode: ROOT_MODE, type: 'dir', size: 0, ino: 0, mtimeMs }]])]])
}

/** Returns the value as a tree. @throws {Fault} EIO if the value is not a valid tree */
export function checkSuperblock(stored: unknown): Superblock {
  const root = isMap(stored) ? stored.get('/') : undefined
  if (!isNode(root) || statOf(root).type !== 'dir') throw damaged('it has no root')
  for (const [path, node] of nodesBelow(root)) {
    if (!isNode(node)) throw damaged(`"${path}" is no entry`)
    if (statOf(node).type !== 'dir' && node.size > 1) throw damaged(`"${path}" is no directory, and something is in it`)
  }
  return stored as Superblock
}

const damaged = (why: string): Fault => new Fault('EIO', `the stored tree is damaged: ${why}`)

function isNode(value: unknown): value is TreeNode {
  const stat: unknown = isMap(value) ? value.get(STAT) : undefined
  if (typeof stat !== 'object' || stat === null) return false
  const { type, ino, size, mtimeMs, mode, target } = stat as Partial<NodeStat>
  const isKind = type === 'file' || type === 'dir' || (type === 'symlink' && typeof target === 'string')
  return isKind && [ino, size, mtimeMs, mode].every((number) => typeof number === 'number')
}

/** Returns whether a value is a Map. Does not use `instanceof`, because a database may return objects of another realm. */
const isMap = (value: unknown): value is Map<unknown, unknown> => Object.prototype.toString.call(value) === '[object Map]'

export const statOf = (node: TreeNode): NodeStat => node.get(STAT) as NodeStat

/** Yields all nodes below a node, with their paths. Does not recurse, because trees may be deep. */
export function* nodesBelow(root: TreeNode): Generator<[string, TreeNode]> {
  const open: [string, TreeNode][] = [['', root]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [dir, node] = next
    for (const [name, child] of node) {
      if (name === STAT) continue
      const path = `${dir}/${String(name)}`
      yield [path, child as TreeNode]
      if (isMap(child)) open.push([path, child as TreeNode])
    }
  }
}

/** Returns the node at a path. Does not follow symlinks. */
export function nodeAt(tree: Superblock, path: string): TreeNode | undefined {
  let node = tree.get('/')
  if (path === '/') return node
  for (const name of path.slice(1).split('/')) node = node?.get(name) as TreeNode | undefined
  return node
}

/** Returns the number of bytes of all files, and the number of entries below the root. */
export function countOf(tree: Superblock): { readonly bytes: number; readonly files: number } {
  let bytes = 0
  let files = 0
  const root = tree.get('/')
  if (root) {
    for (const [, node] of nodesBelow(root)) {
      files++
      if (statOf(node).type === 'file') bytes += statOf(node).size
    }
  }
  return { bytes, files }
}
