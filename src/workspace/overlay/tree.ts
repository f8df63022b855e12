import type { FsErrorCode } from '../../errors/index.js'
import type { FsAdapter, FsStat, FsUsage } from '../../types/fs.js'
import { RESERVED } from '../checkpoints/engine.js'
import { baseName, joinPath, parentPath } from '../paths.js'
import { Lower, Refusal } from './lower.js'
import { Dir, GONE, type Node, type OwnFile } from './nodes.js'
import { ABSENT, Stamps, stampOf } from './stamps.js'

/** An unchanged entry of the lower storage. */
export interface Through {
  readonly kind: 'through'
  /** Path of the entry in the lower storage. */
  readonly path: string
}

/** An entry of a directory: a node of the overlay, or an unchanged entry of the lower storage. */
export type Entry =
  | { readonly node: Node; readonly stat?: undefined }
  | { readonly node?: undefined; readonly path: string; readonly stat: FsStat }

/** Number of overlays so far. Part of each version, so that stacked overlays never give the same version to different contents. */
let overlays = 0

/** The differences from the lower storage, as a tree. Also records the lower storage's state wherever the overlay differs. */
export class OverlayTree {
  readonly lower: Lower
  readonly keepsMode: boolean
  readonly now: () => number
  readonly stamps: Stamps = new Stamps()
  root: Dir
  closed = false
  /** The total usage, once computed. */
  total: FsUsage | undefined
  readonly #caseSensitive: boolean
  readonly #id = ++overlays
  #versions = 0

  constructor(adapter: FsAdapter, now: () => number) {
    this.lower = new Lower(adapter)
    this.keepsMode = adapter.can.mode
    this.#caseSensitive = adapter.can.caseSensitive
    this.now = now
    this.root = this.#bareRoot()
  }

  /** Drops all differences. With `keepsOwn`, keeps the checkpoints of the overlay's own workspace. */
  reset({ keepsOwn }: { readonly keepsOwn: boolean }): void {
    const own = this.root.children.get(this.keyOf(RESERVED))
    this.root = this.#bareRoot()
    if (keepsOwn && own) this.root.children.set(this.keyOf(RESERVED), own)
    this.stamps.clear()
    this.total = undefined
  }

  /** A root without changes. It hides the lower storage's checkpoints. */
  #bareRoot(): Dir {
    const root = Dir.over('/')
    root.children.set(this.keyOf(RESERVED), { name: RESERVED, node: GONE })
    return root
  }

  keyOf(name: string): string {
    return this.#caseSensitive ? name : name.toLowerCase()
  }

  nextVersion(): string {
    return `o${this.#id}.${++this.#versions}`
  }

  /** Looks up a path in the overlay's nodes only, without reading the lower storage. */
  find(path: string): Node | Through | FsErrorCode {
    let dir = this.root
    if (path === '/') return dir
    for (let start = 1; ; ) {
      const end = path.indexOf('/', start)
      const name = end === -1 ? path.slice(start) : path.slice(start, end)
      const node = dir.children.get(this.keyOf(name))?.node
      if (node === undefined) {
        return dir.origin === undefined ? 'ENOENT' : { kind: 'through', path: joinPath(dir.origin, path.slice(start)) }
      }
      if (node.kind === 'gone') return 'ENOENT'
      if (end === -1) return node
      if (node.kind !== 'dir') return node.kind === 'symlink' ? 'ELOOP' : 'ENOTDIR'
      dir = node
      start = end + 1
    }
  }

  /**
   * Returns a directory as a node whose content can change, and creates missing nodes on the path. An empty node does not count as a
   * difference.
   */
  async ownDir(path: string): Promise<Dir> {
    const found = this.find(path)
    if (typeof found === 'string') throw new Refusal(found)
    if (found.kind === 'dir') return found
    if (found.kind !== 'through') throw new Refusal(found.kind === 'symlink' ? 'ELOOP' : 'ENOTDIR')
    const { kind } = await this.lower.lstat(found.path)
    if (kind !== 'dir') throw new Refusal(kind === 'symlink' ? 'ELOOP' : 'ENOTDIR')
    let dir = this.root
    for (const name of path.slice(1).split('/')) {
      const known = dir.children.get(this.keyOf(name))?.node
      const next = known?.kind === 'dir' ? known : Dir.over(joinPath(dir.origin as string, name))
      if (next !== known) dir.children.set(this.keyOf(name), { name, node: next })
      dir = next
    }
    return dir
  }

  /** Returns the parent directory of a path as a node. The parent of the root is the root. */
  ownParent(path: string): Promise<Dir> {
    return this.ownDir(parentPath(path))
  }

  async at(parent: Dir, path: string): Promise<Entry | undefined> {
    if (path === '/') return { node: this.root }
    const name = baseName(path)
    const node = parent.children.get(this.keyOf(name))?.node
    if (node) return node.kind === 'gone' ? undefined : { node }
    if (parent.origin === undefined) return undefined
    const origin = joinPath(parent.origin, name)
    const stat = await this.lower.find(origin)
    return stat && { path: origin, stat }
  }

  /** Assigns a node to a name. `was` is the previous entry. */
  async put(parent: Dir, path: string, node: Node, was: Entry | undefined): Promise<void> {
    const name = baseName(path)
    const key = this.keyOf(name)
    if (parent.origin !== undefined && !parent.children.has(key)) {
      const stamp = was?.stat ? await stampOf(this.lower, was.path, was.stat) : ABSENT
      this.stamps.note(joinPath(parent.origin, name), stamp)
    }
    parent.children.set(key, { name, node })
  }

  /** Removes a name. The caller has already recorded the stamps of the removed entries. */
  hide(parent: Dir, path: string): void {
    const name = baseName(path)
    const key = this.keyOf(name)
    const origin = parent.origin === undefined ? undefined : joinPath(parent.origin, name)
    if (origin !== undefined && (this.stamps.get(origin) !== ABSENT || path === `/${RESERVED}`)) {
      parent.children.set(key, { name, node: GONE })
      return
    }
    parent.children.delete(key)
    if (origin !== undefined) this.stamps.drop(origin)
  }

  /** Removes the nodes of directories on the path that have no changes, so that the lower storage shows through again. */
  prune(path: string): void {
    const names = path.slice(1).split('/')
    const way = [this.root]
    for (const name of names) {
      const next = way.at(-1)?.children.get(this.keyOf(name))?.node
      if (next?.kind !== 'dir') break
      way.push(next)
    }
    for (let dir = way.pop(); dir?.isBare && way.length > 0; dir = way.pop()) {
      const [parent, name] = [way.at(-1) as Dir, names[way.length - 1] as string]
      if (parent.origin === undefined || dir.origin !== joinPath(parent.origin, name)) return
      parent.children.delete(this.keyOf(name))
    }
  }

  fill(file: OwnFile, bytes: Uint8Array, size: number): void {
    this.count(size - file.size, 0)
    file.bytes = bytes
    file.size = size
    file.version = this.nextVersion()
    file.mtimeMs = this.now()
  }

  count(bytes: number, files: number): void {
    if (this.total) this.total = { bytes: this.total.bytes + bytes, files: this.total.files + files }
  }
}
