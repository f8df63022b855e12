import { Fault } from '../shared/fault.js'
import { type DirNode, type FileNode, type JournalRecord, type Node, type Row, replay, rowOf } from './nodes.js'

export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The whole index in memory: the stored index, with the changes of the running transaction. */
export class Tree {
  readonly root: DirNode
  readonly now: () => number
  /** Number of bytes of all files together. */
  bytes = 0
  /** Number of entries below the root. */
  files: number
  #lastId = 0
  readonly #origin: string
  #drawn = 0

  /** @throws {Fault} EIO for a journal without a root, or with an entry without a parent */
  constructor(records: readonly JournalRecord[], now: () => number) {
    const { nodes, root } = replay(records)
    let placed = 0
    for (const node of nodes.values()) {
      this.#lastId = Math.max(this.#lastId, node.id)
      if (node.kind === 'file') this.bytes += node.size
      else if (node.kind === 'dir') placed += node.entries.size
    }
    if (!root || placed !== nodes.size - 1) throw new Fault('EIO', 'its index is damaged')
    this.root = root
    this.now = now
    this.files = placed
    this.#origin = [...crypto.getRandomValues(new Uint32Array(3))].map((word) => word.toString(36)).join('')
  }

  nextId(): number {
    return ++this.#lastId
  }

  /** Returns an id for a version or a part. The id is unique, even across rollbacks and page reloads. */
  draw(): string {
    return `${this.#origin}-${(++this.#drawn).toString(36)}`
  }

  /**
   * Returns the directory that contains the last component of a path. For `/`, returns the root itself. @throws {Fault} ENOENT ENOTDIR
   * ELOOP
   */
  parent(path: string): DirNode {
    let dir = this.root
    let start = 1
    for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', start)) {
      const node = dir.entries.get(path.slice(start, end))
      if (node?.kind !== 'dir') throw new Fault(!node ? 'ENOENT' : node.kind === 'symlink' ? 'ELOOP' : 'ENOTDIR')
      dir = node
      start = end + 1
    }
    return dir
  }

  at(path: string): { readonly parent: DirNode; readonly name: string; readonly node: Node | undefined } {
    const parent = this.parent(path)
    const name = nameIn(path)
    return { parent, name, node: path === '/' ? parent : parent.entries.get(name) }
  }

  find(path: string): Node {
    const { node } = this.at(path)
    if (!node) throw new Fault('ENOENT')
    return node
  }

  findFile(path: string): FileNode {
    return asFile(this.find(path))
  }

  /** Returns all nodes in the form in which they are stored. */
  rows(): Row[] {
    const rows: Row[] = []
    for (const node of below(this.root)) rows.push(rowOf(node))
    return rows
  }
}

export function asFile(node: Node): FileNode {
  if (node.kind !== 'file') throw new Fault(node.kind === 'dir' ? 'EISDIR' : 'ELOOP')
  return node
}

/** Yields a node and everything below it. Does not recurse, because renames can make a tree deeper than the longest path. */
export function* below(node: Node): Generator<Node> {
  const open: Node[] = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    yield next
    if (next.kind === 'dir') for (const child of next.entries.values()) open.push(child)
  }
}
