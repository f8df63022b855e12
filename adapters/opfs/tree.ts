import { Fault } from '../shared/fault.js'
import type { DirHandle, Place } from './handles.js'
import type { Names } from './names.js'

export interface FileNode {
  readonly kind: 'file'
  /** `size` and `mtimeMs` are set together, when they are first read. */
  size?: number | undefined
  mtimeMs?: number | undefined
  /** Version of the content, if it was written in this session. */
  version?: string | undefined
}

export interface DirNode {
  readonly kind: 'dir'
  name: string
  /** The directory that contains this one. Undefined for the root. */
  parent: DirNode | undefined
  /** Entries by name. Undefined until the directory was listed. */
  entries: Map<string, Node> | undefined
  handle: DirHandle | undefined
}

export type Node = FileNode | DirNode

export interface Found {
  readonly parent: DirNode
  readonly siblings: Map<string, Node>
  readonly name: string
  readonly node: Node | undefined
}

/** Maximum number of cached directory handles, because each handle costs the browser a connection. */
const MAX_HANDLES = 1000

/** A cache of the tree. Listings stay valid, because the lock ensures that nobody else changes files. */
export class Tree {
  readonly names: Names
  readonly #rootHandle: DirHandle
  readonly #withHandle = new Set<DirNode>()
  readonly #loading = new Map<DirNode, Promise<void>>()
  root: DirNode

  constructor(rootHandle: DirHandle, names: Names) {
    this.#rootHandle = rootHandle
    this.names = names
    this.root = this.#newRoot()
  }

  #newRoot(): DirNode {
    return { kind: 'dir', name: '', parent: undefined, entries: undefined, handle: this.#rootHandle }
  }

  /** Forgets all cached data. */
  reset(): void {
    this.#withHandle.clear()
    this.root = this.#newRoot()
  }

  /** @returns the entry, or the first directory on the path that was not listed yet. @throws {Fault} ENOENT ENOTDIR */
  #look(path: string): Found | DirNode {
    if (path === '/') return { parent: this.root, siblings: new Map(), name: '', node: this.root }
    let parent = this.root
    for (let start = 1; ; ) {
      if (!parent.entries) return parent
      const end = path.indexOf('/', start)
      const name = path.slice(start, end === -1 ? undefined : end)
      const node = parent.entries.get(name)
      if (end === -1) return { parent, siblings: parent.entries, name, node }
      if (node?.kind !== 'dir') throw new Fault(node ? 'ENOTDIR' : 'ENOENT')
      parent = node
      start = end + 1
    }
  }

  /** Looks up a path in the cache only. Returns undefined if the browser must be asked. @throws {Fault} ENOENT ENOTDIR */
  known(path: string): Found | undefined {
    const found = this.#look(path)
    return 'siblings' in found ? found : undefined
  }

  /** Looks up a path, and lists directories where needed. @throws {Fault} ENOENT ENOTDIR */
  async at(path: string): Promise<Found> {
    for (;;) {
      const found = this.#look(path)
      if ('siblings' in found) return found
      await this.list(found)
    }
  }

  async list(dir: DirNode): Promise<Map<string, Node>> {
    while (!dir.entries) {
      const loading = this.#loading.get(dir) ?? this.#load(dir)
      this.#loading.set(dir, loading)
      await loading.finally(() => this.#loading.delete(dir))
    }
    return dir.entries
  }

  async #load(dir: DirNode): Promise<void> {
    const entries = new Map<string, Node>()
    for await (const [stored, { kind }] of (await this.handleOf(dir)).entries()) {
      const name = this.names.decode(stored)
      if (name === undefined) continue
      entries.set(name, kind === 'file' ? { kind } : newDir(name, dir))
    }
    dir.entries = entries
  }

  async handleOf(dir: DirNode): Promise<DirHandle> {
    if (dir.handle) return dir.handle
    const path: DirNode[] = []
    let handle: DirHandle | undefined
    for (let next: DirNode | undefined = dir; next && !handle; next = next.parent) {
      handle = next.handle
      if (!handle) path.unshift(next)
    }
    for (const each of path) {
      handle = await (handle ?? this.#rootHandle).getDirectoryHandle(this.names.encode(each.name))
      this.keep(each, handle)
    }
    return handle ?? this.#rootHandle
  }

  keep(dir: DirNode, handle: DirHandle): void {
    dir.handle = handle
    this.#withHandle.add(dir)
    if (this.#withHandle.size <= MAX_HANDLES) return
    const [oldest] = this.#withHandle
    if (oldest) this.dropHandle(oldest)
  }

  dropHandle(dir: DirNode): void {
    dir.handle = undefined
    this.#withHandle.delete(dir)
  }

  async placeOf({ parent, name }: Found): Promise<Place> {
    return { dir: await this.handleOf(parent), name: this.names.encode(name) }
  }
}

export const newDir = (name: string, parent: DirNode): DirNode => ({ kind: 'dir', name, parent, entries: undefined, handle: undefined })

/**
 * Yields a directory and all known directories below it. Does not recurse, because renames can make a tree deeper than the longest path.
 */
export function* directories(top: DirNode): Generator<DirNode> {
  const open = [top]
  for (let dir = open.pop(); dir; dir = open.pop()) {
    yield dir
    for (const node of dir.entries?.values() ?? []) if (node.kind === 'dir') open.push(node)
  }
}
