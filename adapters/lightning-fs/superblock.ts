import { Fault } from '../shared/fault.js'

/** Where a node keeps what it is; its other keys are the names below it. */
export const STAT = 0

/** As the library keeps it. */
export interface NodeStat {
  mode: number
  type: 'file' | 'dir' | 'symlink'
  size: number
  ino: number
  mtimeMs: number
  /** Of a link. */
  target?: string
}

export type TreeNode = Map<string | typeof STAT, TreeNode | NodeStat>

/** What the library stores its whole tree as: one node, named `/`. */
export type Superblock = Map<'/', TreeNode>

const ROOT_MODE = 0o755

export function newSuperblock(mtimeMs: number): Superblock {
  return new Map([['/', new Map([[STAT, { mode: ROOT_MODE, type: 'dir', size: 0, ino: 0, mtimeMs }]])]])
}

/** @throws {Fault} EIO: it is not what the library stores */
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

/** Of any realm: a database gives what belongs to its own. */
const isMap = (value: unknown): value is Map<unknown, unknown> => Object.prototype.toString.call(value) === '[object Map]'

export const statOf = (node: TreeNode): NodeStat => node.get(STAT) as NodeStat

/** Everything below a node with its path. A list of its own, not recursion: trees may be deep. */
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

/** The node of a path, as itself. */
export function nodeAt(tree: Superblock, path: string): TreeNode | undefined {
  let node = tree.get('/')
  if (path === '/') return node
  for (const name of path.slice(1).split('/')) node = node?.get(name) as TreeNode | undefined
  return node
}

/** Sum of the sizes of all files; entries below the root. */
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
