import { FsError, type FsErrorCode } from '../../src/errors/index.js'
import { DirNode, type FileNode, type Inode } from './inode.js'

export interface TreeOptions {
  readonly now: () => number
  readonly maxBytes: number
  readonly maxFiles: number
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Creates an error. EIO always means that the storage is closed. */
export function fail(code: FsErrorCode, op: string, path: string, dest?: string, detail?: string): FsError {
  const why = detail ?? (code === 'EIO' ? 'the storage is closed' : undefined)
  return new FsError({ code, op, path, ...(dest === undefined ? {} : { dest }), ...(why === undefined ? {} : { detail: why }) })
}

/**
 * The nodes, the counters and the epoch. All methods are synchronous, so no other call can run in between.
 *
 * Before you change a node, call `parent`, `ownDir` or `ownFile`: these copy the node into the current epoch. `keep` starts the next epoch.
 */
export class Tree {
  epoch = 0
  root: DirNode
  /** Number of bytes of all files together. */
  bytes = 0
  /** Number of entries below the root. */
  files = 0
  readonly now: () => number
  readonly #maxBytes: number
  readonly #maxFiles: number
  #versions = 0
  #closed = false

  constructor({ now, maxBytes, maxFiles }: TreeOptions) {
    this.now = now
    this.#maxBytes = maxBytes
    this.#maxFiles = maxFiles
    this.root = new DirNode(this.epoch, now())
  }

  /**
   * Returns the directory that contains the last component (for `/`, the root itself), or an error code. With `own`, copies the directories
   * on the path into the current epoch, so that they can be changed.
   */
  walk(path: string, own: boolean): DirNode | FsErrorCode {
    if (this.#closed) return 'EIO'
    if (own && this.root.epoch !== this.epoch) this.root = this.root.clone(this.epoch)
    let dir = this.root
    let start = 1
    for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', start)) {
      const name = path.slice(start, end)
      const node = dir.get(name)
      if (node === undefined) return 'ENOENT'
      if (node.kind !== 'dir') return node.kind === 'symlink' ? 'ELOOP' : 'ENOTDIR'
      dir = own ? this.ownDir(dir, name, node) : node
      start = end + 1
    }
    return dir
  }

  parent(op: string, path: string): DirNode {
    const parent = this.walk(path, true)
    if (typeof parent === 'string') throw fail(parent, op, path)
    return parent
  }

  find(op: string, path: string, dest?: string): Inode {
    const parent = this.walk(path, false)
    if (typeof parent === 'string') throw fail(parent, op, path, dest)
    const node = path === '/' ? parent : parent.get(nameOf(path))
    if (node === undefined) throw fail('ENOENT', op, path, dest)
    return node
  }

  findFile(op: string, path: string, dest?: string): FileNode {
    const node = this.find(op, path, dest)
    if (node.kind !== 'file') throw fail(node.kind === 'dir' ? 'EISDIR' : 'ELOOP', op, path, dest)
    return node
  }

  ownDir(parent: DirNode, name: string, node: DirNode): DirNode {
    if (node.epoch === this.epoch) return node
    const own = node.clone(this.epoch)
    parent.set(name, own)
    return own
  }

  ownFile(parent: DirNode, name: string, node: FileNode): FileNode {
    if (node.epoch === this.epoch) return node
    const own = node.clone(this.epoch)
    parent.set(name, own)
    return own
  }

  /** Fails with ENOSPC if an addition does not fit. Call before anything is copied or changed. */
  reserve(bytes: number, files: number, op: string, path: string, dest?: string): void {
    if (bytes > 0 && this.bytes + bytes > this.#maxBytes) {
      throw fail('ENOSPC', op, path, dest, `the storage holds at most ${this.#maxBytes} bytes, ${this.bytes} are used`)
    }
    if (files > 0 && this.files + files > this.#maxFiles) {
      throw fail('ENOSPC', op, path, dest, `the storage holds at most ${this.#maxFiles} entries`)
    }
  }

  add(parent: DirNode, name: string, node: Inode): void {
    parent.set(name, node)
    parent.mtimeMs = node.mtimeMs
    this.files++
    if (node.kind === 'file') this.bytes += node.size
  }

  remove(parent: DirNode, name: string, node: Inode): void {
    parent.delete(name)
    parent.mtimeMs = this.now()
    // Do not recurse, because renames can make a tree deeper than the longest path.
    const removed: Inode[] = [node]
    for (let next = removed.pop(); next !== undefined; next = removed.pop()) {
      this.files--
      if (next.kind === 'file') this.bytes -= next.size
      else if (next.kind === 'dir') for (const child of next.children()) removed.push(child)
    }
  }

  /** Replaces the content of a file that belongs to the current epoch. `bytes` may have spare room after the first `size` bytes. */
  fill(file: FileNode, bytes: Uint8Array, size: number): void {
    this.bytes += size - file.size
    file.bytes = bytes
    file.size = size
    file.version = this.nextVersion()
    file.mtimeMs = this.now()
  }

  /**
   * Returns the current root, which never changes from then on. Nothing is copied here: a later change first copies the nodes on its path.
   */
  keep(): DirNode {
    if (this.#closed) throw fail('EIO', 'keep', '/')
    this.epoch++
    return this.root
  }

  nextVersion(): number {
    return ++this.#versions
  }

  /** Only checks that the storage is open, because changes never wait to be stored. */
  flush(): void {
    if (this.#closed) throw fail('EIO', 'flush', '/')
  }

  close(): void {
    this.#closed = true
    this.root = new DirNode(this.epoch, 0)
  }
}
