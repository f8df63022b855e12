import type { FsEntry, FsStat } from '../../src/types/fs.js'

/** A node of the tree. A checkpoint keeps the current root and starts a new epoch. Only nodes of the current epoch are modified. */
export type Inode = FileNode | DirNode | LinkNode

const FILE_MODE = 0o644
const DIR_MODE = 0o755
const LINK_MODE = 0o777

const encoder = new TextEncoder()

/**
 * Returns a copy of a string that does not keep a longer string alive: in V8, a substring keeps the whole path in memory, and compares
 * seven times slower.
 */
const ownText = (name: string): string => JSON.parse(JSON.stringify(name)) as string

export class FileNode {
  readonly kind = 'file'
  readonly epoch: number
  mode: number = FILE_MODE
  mtimeMs: number
  version: number
  /** The first `size` bytes are the content, and never change in place. The rest is spare room for appending, which only this node uses. */
  bytes: Uint8Array
  size: number

  constructor(epoch: number, mtimeMs: number, version: number, bytes: Uint8Array) {
    this.epoch = epoch
    this.mtimeMs = mtimeMs
    this.version = version
    this.bytes = bytes
    this.size = bytes.length
  }

  clone(epoch: number): FileNode {
    const copy = new FileNode(epoch, this.mtimeMs, this.version, this.content())
    copy.mode = this.mode
    return copy
  }

  /** Returns the content without spare room, which other nodes can share. */
  content(): Uint8Array {
    return this.bytes.length === this.size ? this.bytes : this.bytes.slice(0, this.size)
  }

  stat(): FsStat {
    return { kind: 'file', size: this.size, mtimeMs: this.mtimeMs, mode: this.mode, version: String(this.version) }
  }
}

let lastId = 0

export class DirNode {
  readonly kind = 'dir'
  readonly size = 0
  readonly epoch: number
  mode: number = DIR_MODE
  mtimeMs: number
  #entries: Map<string, Inode> = new Map()
  /** The largest name that was ever added to `#entries`. */
  #last = ''
  #sorted = true
  readonly #id = ++lastId
  /** The id of the directory that this node was cloned from. A reference to that directory would keep every earlier state alive. */
  #origin = 0
  #changed: Map<string, Inode | undefined> | undefined

  constructor(epoch: number, mtimeMs: number) {
    this.epoch = epoch
    this.mtimeMs = mtimeMs
  }

  get count(): number {
    return this.#entries.size
  }

  get(name: string): Inode | undefined {
    return this.#entries.get(name)
  }

  set(name: string, node: Inode): void {
    this.#changed?.set(name, node)
    if (this.#entries.has(name)) {
      this.#entries.set(name, node)
      return
    }
    const own = ownText(name)
    if (own > this.#last) this.#last = own
    else this.#sorted = false
    this.#entries.set(own, node)
  }

  delete(name: string): void {
    this.#changed?.set(name, undefined)
    this.#entries.delete(name)
  }

  /**
   * Returns the entries that were set or removed since this node was cloned from `before`, or undefined if this node is not a clone of
   * `before`.
   */
  changedSince(before: DirNode): ReadonlyMap<string, Inode | undefined> | undefined {
    return this.#origin === before.#id ? this.#changed : undefined
  }

  children(): IterableIterator<Inode> {
    return this.#entries.values()
  }

  entries(): IterableIterator<[string, Inode]> {
    return this.#entries.entries()
  }

  /** Lists the entries, sorted by code unit. Sorting only here keeps it cheap to add many entries in any order. */
  list(): FsEntry[] {
    if (!this.#sorted) this.#sort()
    // Preallocate the array, which is twice as fast as `push`: this is the hot loop of every walk.
    const list = new Array<FsEntry>(this.#entries.size)
    let at = 0
    for (const [name, node] of this.#entries) list[at++] = { name, kind: node.kind, size: node.size }
    return list
  }

  /** Sorts the entries by code unit. `sort` without a comparator does this natively. */
  #sort(): void {
    const sorted = new Map<string, Inode>()
    for (const name of [...this.#entries.keys()].sort()) {
      const node = this.#entries.get(name)
      if (node) sorted.set(name, node)
    }
    this.#entries = sorted
    this.#sorted = true
  }

  clone(epoch: number): DirNode {
    const copy = new DirNode(epoch, this.mtimeMs)
    copy.mode = this.mode
    copy.#entries = new Map(this.#entries)
    copy.#last = this.#last
    copy.#sorted = this.#sorted
    copy.#origin = this.#id
    copy.#changed = new Map()
    return copy
  }

  stat(): FsStat {
    return { kind: 'dir', size: 0, mtimeMs: this.mtimeMs, mode: this.mode }
  }
}

/** A symlink. Symlinks are immutable, so they belong to no epoch. */
export class LinkNode {
  readonly kind = 'symlink'
  readonly target: string
  readonly size: number
  readonly mtimeMs: number

  constructor(target: string, mtimeMs: number) {
    this.target = target
    this.size = encoder.encode(target).length
    this.mtimeMs = mtimeMs
  }

  stat(): FsStat {
    return { kind: 'symlink', size: this.size, mtimeMs: this.mtimeMs, mode: LINK_MODE }
  }
}
