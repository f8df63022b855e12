import { FsError } from '../../src/errors/index.js'
import type { FsDifference, FsImage, FsMoment } from '../../src/types/fs.js'
import type { DirNode, FileNode, Inode } from './inode.js'
import { fail, type Tree } from './tree.js'

interface Pair {
  readonly path: string
  readonly before: Inode | undefined
  readonly after: Inode | undefined
}

/**
 * A past state of the tree. Its nodes belong to an earlier epoch, so they never change. A moment shares all unchanged nodes with the tree.
 */
export class Moment implements FsMoment {
  readonly #tree: Tree
  readonly #root: DirNode

  /** @param root the root that `tree.keep()` returned at that moment */
  constructor(tree: Tree, root: DirNode) {
    this.#tree = tree
    this.#root = root
  }

  async diff(to?: FsMoment): Promise<FsDifference[]> {
    if (to === undefined) this.#tree.flush()
    return differences(this.#root, to === undefined ? this.#tree.root : this.#rootOf(to))
  }

  async lstat(path: string): Promise<FsImage> {
    return imageOf(this.#find('stat', path))
  }

  async read(path: string): Promise<Uint8Array> {
    const node = this.#find('read', path)
    if (node.kind !== 'file') throw fail(node.kind === 'dir' ? 'EISDIR' : 'ELOOP', 'read', path)
    return node.bytes.slice(0, node.size)
  }

  #rootOf(other: FsMoment): DirNode {
    if (#root in other && other.#tree === this.#tree) return other.#root
    throw new FsError({ code: 'EINVAL', op: 'compare', path: '/', detail: 'the moment is one of another storage' })
  }

  #find(op: string, path: string): Inode {
    let node: Inode = this.#root
    for (const name of path === '/' ? [] : path.slice(1).split('/')) {
      const next: Inode | undefined = node.kind === 'dir' ? node.get(name) : undefined
      if (next === undefined) throw fail('ENOENT', op, path)
      node = next
    }
    return node
  }
}

/**
 * Returns the differences between two states. Skips subtrees whose root is the same node in both. Does not recurse, because trees may be
 * deeper than the stack.
 */
function differences(before: DirNode, after: DirNode): FsDifference[] {
  const found: FsDifference[] = []
  const pairs: Pair[] = before === after ? [] : [{ path: '/', before, after }]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    if (!isSame(pair.before, pair.after)) {
      found.push({
        path: pair.path,
        ...(pair.before && { before: imageOf(pair.before) }),
        ...(pair.after && { after: imageOf(pair.after) }),
      })
    }
    addChildren(pair, pairs)
  }
  return found
}

function addChildren({ path, before, after }: Pair, pairs: Pair[]): void {
  const [old, now] = [before?.kind === 'dir' ? before : undefined, after?.kind === 'dir' ? after : undefined]
  const at = (name: string): string => (path === '/' ? `/${name}` : `${path}/${name}`)
  const changed = old && now?.changedSince(old)
  if (changed) {
    for (const [name, node] of changed) {
      const was = old.get(name)
      if (was !== node) pairs.push({ path: at(name), before: was, after: node })
    }
    return
  }
  // Iterate over both sides at the same time, because most directories have the same names in the same order. Look up a name only where the
  // sides differ.
  const others = now?.entries()
  let next = others?.next().value
  let shared = 0
  for (const [name, node] of old?.entries() ?? []) {
    const inStep = next?.[0] === name
    const other = inStep ? next?.[1] : now?.get(name)
    if (inStep) next = others?.next().value
    if (other !== undefined) shared++
    if (node !== other) pairs.push({ path: at(name), before: node, after: other })
  }
  if (shared === now?.count) return
  for (const [name, node] of now?.entries() ?? []) {
    if (old?.get(name) === undefined) pairs.push({ path: at(name), before: undefined, after: node })
  }
}

function imageOf(node: Inode): FsImage {
  return node.kind === 'symlink' ? { ...node.stat(), target: node.target } : node.stat()
}

function isSame(a: Inode | undefined, b: Inode | undefined): boolean {
  if (a?.kind === 'file') return b?.kind === 'file' && a.mode === b.mode && sameContent(a, b)
  if (a?.kind === 'dir') return b?.kind === 'dir' && a.mode === b.mode
  return a?.kind === b?.kind && a?.target === (b as typeof a)?.target
}

function sameContent(a: FileNode, b: FileNode): boolean {
  if (a.size !== b.size) return false
  if (a.bytes === b.bytes) return true
  for (let i = 0; i < a.size; i++) if (a.bytes[i] !== b.bytes[i]) return false
  return true
}
