import type { Answer } from '../answer.js'
import { FileFault } from './faults.js'
import { withBytes } from './growing-buffer.js'
import { newDir, newFile, newLink, type TreeNode } from './node.js'
import { parentOf, type Tree, targetOf } from './tree.js'

/** A file request of the guest. Paths are absolute. */
export interface FileQuestion {
  readonly op: string
  readonly path: string
  readonly to?: string
  /**
   * `r`, `t`, `b`: the file must exist. `w`, `a`, `c`: it may be created. `x`: it must not exist. `w` and `t` empty the file; `a` and `b`
   * append.
   */
  readonly flag?: string
  readonly recursive?: boolean
  readonly force?: boolean
  readonly mode?: number
  readonly length?: number
  /** Offset for reading or writing. */
  readonly position?: number
  /** Whether to apply the operation to a symlink itself. */
  readonly nofollow?: boolean
  readonly mtimeMs?: number
  readonly target?: string
  readonly exclusive?: boolean
}

export interface Surroundings {
  readonly tree: Tree
  readonly now: () => number
  readonly writable: boolean
}

type Operation = (question: FileQuestion, bytes: Uint8Array | undefined) => Answer

export function createOperations({ tree, now, writable }: Surroundings): Readonly<Record<string, Operation>> {
  /** Resolves a path. If the path ends with a slash, it must name a directory, or a symlink to one. */
  const resolve = (path: string, follow = true): string => {
    if (!asksForDir(path)) return tree.resolve(path, follow)
    const at = tree.resolve(path)
    const node = tree.get(at)
    if (node && node.kind !== 'dir') throw new FileFault('ENOTDIR')
    return at
  }
  const found = (path: string, follow = true): { readonly at: string; readonly node: TreeNode } => {
    const at = resolve(path, follow)
    const node = tree.get(at)
    if (!node) throw new FileFault('ENOENT')
    return { at, node }
  }
  /** Finds the entry to remove. A symlink is removed itself, even if the path ends with a slash. */
  const removed = (path: string): { readonly at: string; readonly node: TreeNode } => {
    const it = found(path.replace(/(?<=[^/])\/+$/, ''), false)
    if (asksForDir(path) && it.node.kind === 'file') throw new FileFault('ENOTDIR')
    return it
  }
  const change = (): void => {
    if (!writable) throw new FileFault('EROFS')
  }
  const parentDir = (at: string): void => {
    const parent = tree.get(parentOf(at))
    if (!parent) throw new FileFault('ENOENT')
    if (parent.kind !== 'dir') throw new FileFault('ENOTDIR')
  }
  const contentOf = (node: TreeNode): Uint8Array => {
    if (node.kind === 'dir') throw new FileFault('EISDIR', undefined, 'read')
    if (!node.bytes) throw new FileFault('EAGAIN', 'it is not among the files that can be read synchronously: use fs/promises')
    return node.bytes
  }
  /** Stores content in a file. Checks the room before creating the content. */
  const store = (at: string, node: TreeNode | undefined, size: number, content: (at: string) => Uint8Array, mode?: number): void => {
    tree.checkSize(at, size)
    const bytes = content(at)
    if (!node) {
      tree.put(at, newFile(now(), bytes, mode))
      return
    }
    if (node.kind !== 'file') throw new FileFault('EISDIR')
    tree.update(at, { bytes, mtimeMs: now(), timed: false })
  }
  /** Resolves a file to open with the given flag. @throws {FileFault} */
  const opened = (path: string, flag: string): { readonly at: string; readonly node: TreeNode | undefined } => {
    const makes = /^[wac]/.test(flag)
    if (makes && asksForDir(path)) throw new FileFault('EISDIR')
    const at = resolve(path, !flag.includes('x'))
    const node = tree.get(at)
    if (flag.includes('x') && node) throw new FileFault('EEXIST')
    if (!node && !makes) throw new FileFault('ENOENT')
    if (flag === 'r') return { at, node }
    if (node?.kind === 'dir') throw new FileFault('EISDIR')
    parentDir(at)
    change()
    return { at, node }
  }
  /** Computes the content of a file after a write. */
  const written = (node: TreeNode | undefined, flag: string, position: number, bytes: Uint8Array): Written => {
    const before = node && !empties(flag) ? contentOf(node) : new Uint8Array()
    const from = /^[ab]/.test(flag) ? before.length : position
    // Writing no bytes does not extend a file.
    if (bytes.length === 0) return { size: before.length, content: () => before }
    if (before.length === 0 && from === 0) return { size: bytes.length, content: () => bytes }
    const size = Math.max(before.length, from + bytes.length)
    // When `content` runs, the node may hold another array with the same bytes.
    const there = (at: string): Uint8Array => (empties(flag) ? before : (tree.get(at)?.bytes ?? before))
    return { size, content: (at) => withBytes(there(at), size, from, bytes, () => tree.spareFor(at, size)) }
  }
  const removeTree = (at: string): void => {
    if (at === '/') throw new FileFault('EACCES')
    tree.drop(at)
  }
  const copy = (from: string, to: string): void => {
    const [node, there] = [tree.get(from), tree.get(to)]
    if (!node) return
    if (node.kind === 'dir') {
      if (there && there.kind !== 'dir') throw new FileFault('ENOTDIR')
      if (!there) tree.put(to, newDir(now(), node.mode))
      for (const name of tree.children(from)) copy(`${from}/${name}`, `${to}/${name}`)
      return
    }
    if (there?.kind === 'dir') throw new FileFault('EISDIR')
    if (node.kind === 'file') contentOf(node)
    const bytes = tree.exactly(from)
    tree.checkSize(to, bytes?.length ?? 2 * targetOf(node).length)
    // A copied file replaces a symlink, and a copied symlink replaces any entry.
    if (there && (there.kind === 'symlink' || !bytes)) tree.drop(to)
    if (bytes) store(to, tree.get(to), bytes.length, () => bytes, node.mode)
    else tree.put(to, newLink(now(), targetOf(node)))
  }
  /** @throws {FileFault} EAGAIN if the content of a file at or below the path was not read */
  const checkContent = (at: string): void => {
    const node = tree.get(at)
    if (node?.kind === 'file') contentOf(node)
    if (node?.kind === 'symlink') targetOf(node)
    if (node?.kind === 'dir') for (const name of tree.children(at)) checkContent(`${at}/${name}`)
  }
  /** Creates all missing directories. Returns the length of the part of the path that names the first created directory. */
  const makeAll = (path: string, mode: number | undefined): number | undefined => {
    let first: number | undefined
    const ends = [...path.matchAll(/[^/](?=\/|$)/g)].map(({ index }) => index + 1)
    for (const end of ends) {
      const at = tree.resolve(path.slice(0, end))
      const node = tree.get(at)
      if (node && node.kind !== 'dir') throw new FileFault(end === ends.at(-1) ? 'EEXIST' : 'ENOTDIR')
      if (node) continue
      if (tree.get(tree.resolve(path.slice(0, end), false))) throw new FileFault('ENOENT')
      change()
      tree.put(at, newDir(now(), mode))
      first ??= end
    }
    return first
  }
  const statText = (node: TreeNode): string => {
    const { kind, size, mtimeMs, mode, ino } = node
    return JSON.stringify({ kind, size, mtimeMs, mode, ino })
  }
  const list = (
    at: string,
    prefix: string,
    recursive: boolean,
  ): { readonly name: string; readonly kind: string; readonly path: string }[] =>
    tree.children(at).flatMap((name) => {
      const path = `${at === '/' ? '' : at}/${name}`
      const kind = tree.get(path)?.kind ?? 'file'
      const own = { name: prefix + name, kind, path }
      return recursive && kind === 'dir' ? [own, ...list(path, `${prefix}${name}/`, true)] : [own]
    })

  return {
    read({ path, position, length = 0 }) {
      const { at, node } = found(path)
      const bytes = contentOf(node)
      tree.noteRead(at)
      // Return content that is never changed in place.
      return position === undefined ? (tree.exactly(at) ?? bytes) : bytes.slice(position, position + Math.max(0, length))
    },
    stat: ({ path }) => statText(found(path).node),
    lstat: ({ path }) => statText(found(path, false).node),
    realpath: ({ path }) => JSON.stringify(found(path).at),
    exists: ({ path }) => JSON.stringify(tree.get(resolve(path)) !== undefined),
    access({ path, mode = 0 }) {
      const { node } = found(path)
      if (mode & 2) change()
      if (mode & 1 && node.kind === 'file' && (node.mode & 0o111) === 0) throw new FileFault('EACCES')
      return 'null'
    },
    readlink({ path }) {
      const { node } = found(path, false)
      if (node.kind !== 'symlink') throw new FileFault('EINVAL')
      return JSON.stringify(targetOf(node))
    },
    readdir({ path, recursive = false }) {
      const { at, node } = found(path)
      if (node.kind !== 'dir') throw new FileFault('ENOTDIR')
      return JSON.stringify(list(at, '', recursive))
    },
    open({ path, flag = 'r', mode }) {
      const { at, node } = opened(path, flag)
      if (!node || (empties(flag) && node.size > 0)) store(at, node, 0, () => new Uint8Array(), mode)
      return JSON.stringify(at)
    },
    write({ path, flag = 'w', mode, position = 0 }, bytes = new Uint8Array()) {
      const { at, node } = opened(path, flag)
      if (flag === 'r') throw new FileFault('EBADF', undefined, 'write')
      const { size, content } = written(node, flag, position, bytes)
      if (!empties(flag)) tree.noteRead(at)
      store(at, node, size, content, mode)
      return 'null'
    },
    truncate({ path, length = 0 }) {
      const { at, node } = found(path)
      if (node.kind === 'dir') throw new FileFault('EISDIR')
      change()
      const [before, size] = [contentOf(node), Math.max(0, length)]
      tree.noteRead(at)
      store(at, node, size, () => {
        const all = new Uint8Array(size)
        all.set(before.subarray(0, size))
        return all
      })
      return 'null'
    },
    mkdir({ path, recursive = false, mode }) {
      if (recursive) return JSON.stringify(makeAll(path, mode) ?? null)
      const at = tree.resolve(path, false)
      parentDir(at)
      change()
      if (tree.get(at)) throw new FileFault('EEXIST')
      tree.put(at, newDir(now(), mode))
      return 'null'
    },
    unlink({ path }) {
      const { at, node } = removed(path)
      change()
      if (node.kind === 'dir') throw new FileFault('EISDIR')
      tree.drop(at)
      return 'null'
    },
    rmdir({ path }) {
      const { at, node } = removed(path)
      change()
      if (node.kind !== 'dir') throw new FileFault('ENOTDIR')
      if (tree.children(at).length > 0) throw new FileFault('ENOTEMPTY')
      removeTree(at)
      return 'null'
    },
    rm({ path, recursive = false, force = false }) {
      let at: string
      try {
        at = removed(path).at
      } catch (error) {
        if (force && error instanceof FileFault && error.code === 'ENOENT') return 'null'
        throw error
      }
      change()
      if (tree.get(at)?.kind === 'dir' && !recursive) throw new FileFault('EISDIR')
      removeTree(at)
      return 'null'
    },
    rename({ path, to = '' }) {
      const { at, node } = found(path, false)
      const target = resolve(to, false)
      if (asksForDir(to) && node.kind !== 'dir') throw new FileFault('ENOTDIR')
      parentDir(target)
      change()
      if (at === '/' || target === '/') throw new FileFault('EACCES')
      if (at === target) return 'null'
      if (`${target}/`.startsWith(`${at}/`)) throw new FileFault('EINVAL')
      const there = tree.get(target)
      if (there?.kind === 'dir' && node.kind !== 'dir') throw new FileFault('EISDIR')
      if (there && there.kind !== 'dir' && node.kind === 'dir') throw new FileFault('ENOTDIR')
      if (there?.kind === 'dir' && tree.children(target).length > 0) throw new FileFault('ENOTEMPTY')
      checkContent(at)
      tree.move(at, target)
      return 'null'
    },
    copy({ path, to = '', recursive = false, exclusive = false }) {
      const { at, node } = found(path)
      const target = resolve(to)
      if (asksForDir(to) && node.kind !== 'dir') throw new FileFault('EISDIR')
      parentDir(target)
      change()
      if (exclusive && tree.get(target)) throw new FileFault('EEXIST')
      if (node.kind === 'dir' && !recursive) throw new FileFault('EISDIR')
      if (at === target && node.kind === 'file') return 'null'
      if (`${target}/`.startsWith(`${at}/`)) throw new FileFault('EINVAL')
      copy(at, target)
      return 'null'
    },
    symlink({ path, target = '' }) {
      const at = tree.resolve(path, false)
      parentDir(at)
      change()
      if (tree.get(at)) throw new FileFault('EEXIST')
      if (asksForDir(path)) throw new FileFault('ENOENT')
      tree.put(at, newLink(now(), target))
      return 'null'
    },
    meta({ path, mode, mtimeMs, nofollow = false }) {
      const { at } = found(path, !nofollow)
      change()
      tree.update(at, { ...(mode !== undefined && { mode: mode & 0o7777 }), ...(mtimeMs !== undefined && { mtimeMs, timed: true }) })
      return 'null'
    },
  }
}

interface Written {
  readonly size: number
  readonly content: (at: string) => Uint8Array
}

const asksForDir = (path: string): boolean => path.endsWith('/') && path !== '/'
const empties = (flag: string): boolean => flag.startsWith('w') || flag.startsWith('t')
