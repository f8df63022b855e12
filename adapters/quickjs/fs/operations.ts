import type { Answer } from '../answer.js'
import { FileFault } from './faults.js'
import { newDir, newFile, newLink, type TreeNode } from './node.js'
import { parentOf, type Tree, targetOf } from './tree.js'

/** What the guest asks. Paths are absolute. */
export interface FileQuestion {
  readonly op: string
  readonly path: string
  readonly to?: string
  readonly flag?: string
  readonly recursive?: boolean
  readonly force?: boolean
  readonly mode?: number
  readonly length?: number
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
  const found = (path: string, follow = true): { readonly at: string; readonly node: TreeNode } => {
    const at = tree.resolve(path, follow)
    const node = tree.get(at)
    if (!node) throw new FileFault('ENOENT')
    return { at, node }
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
  /** There is room before the content is made. */
  const store = (at: string, node: TreeNode | undefined, size: number, content: () => Uint8Array, mode?: number): void => {
    tree.checkSize(at, size)
    const bytes = content()
    if (!node) {
      tree.put(at, newFile(now(), bytes, mode))
      return
    }
    if (node.kind !== 'file') throw new FileFault('EISDIR')
    tree.update(at, { bytes, mtimeMs: now() })
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
    const bytes = node.kind === 'file' ? contentOf(node) : undefined
    tree.checkSize(to, bytes?.length ?? 2 * targetOf(node).length)
    // What is copied takes the place of a link, and of anything by a link.
    if (there && (there.kind === 'symlink' || !bytes)) tree.drop(to)
    if (bytes) store(to, tree.get(to), bytes.length, () => bytes.slice(), node.mode)
    else tree.put(to, newLink(now(), targetOf(node)))
  }
  /** @throws {FileFault} EAGAIN, where the content of one of the files below was not read */
  const checkContent = (at: string): void => {
    const node = tree.get(at)
    if (node?.kind === 'file') contentOf(node)
    if (node?.kind === 'symlink') targetOf(node)
    if (node?.kind === 'dir') for (const name of tree.children(at)) checkContent(`${at}/${name}`)
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
    // Nobody changes content in place: there is always a new one.
    read: ({ path }) => contentOf(found(path).node),
    stat: ({ path }) => statText(found(path).node),
    lstat: ({ path }) => statText(found(path, false).node),
    realpath: ({ path }) => JSON.stringify(found(path).at),
    exists: ({ path }) => JSON.stringify(tree.get(tree.resolve(path)) !== undefined),
    access({ path, mode = 0 }) {
      found(path)
      if (mode & 2) change()
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
    write({ path, flag = 'w', mode }, bytes = new Uint8Array()) {
      const at = tree.resolve(path)
      const node = tree.get(at)
      if (flag.includes('x') && node) throw new FileFault('EEXIST')
      if (node?.kind === 'dir') throw new FileFault('EISDIR')
      if (!node && flag.startsWith('r')) throw new FileFault('ENOENT')
      parentDir(at)
      change()
      if (!flag.startsWith('a') || !node) store(at, node, bytes.length, () => bytes, mode)
      else {
        const before = contentOf(node)
        const size = before.length + bytes.length
        store(at, node, size, () => {
          const all = new Uint8Array(size)
          all.set(before)
          all.set(bytes, before.length)
          return all
        })
      }
      return 'null'
    },
    truncate({ path, length = 0 }) {
      const { at, node } = found(path)
      change()
      const [before, size] = [contentOf(node), Math.max(0, length)]
      store(at, node, size, () => {
        const all = new Uint8Array(size)
        all.set(before.subarray(0, size))
        return all
      })
      return 'null'
    },
    mkdir({ path, recursive = false, mode }) {
      if (!recursive) {
        const at = tree.resolve(path)
        parentDir(at)
        change()
        if (tree.get(at)) throw new FileFault('EEXIST')
        tree.put(at, newDir(now(), mode))
        return 'null'
      }
      let first: string | undefined
      const parts = path.split('/').filter(Boolean)
      for (let count = 1; count <= parts.length; count++) {
        const at = tree.resolve(`/${parts.slice(0, count).join('/')}`)
        const node = tree.get(at)
        if (node && node.kind !== 'dir') throw new FileFault(count === parts.length ? 'EEXIST' : 'ENOTDIR')
        if (node) continue
        change()
        tree.put(at, newDir(now(), mode))
        first ??= at
      }
      return JSON.stringify(first ?? null)
    },
    unlink({ path }) {
      const { at, node } = found(path, false)
      change()
      if (node.kind === 'dir') throw new FileFault('EISDIR')
      tree.drop(at)
      return 'null'
    },
    rmdir({ path }) {
      const { at, node } = found(path, false)
      change()
      if (node.kind !== 'dir') throw new FileFault('ENOTDIR')
      if (tree.children(at).length > 0) throw new FileFault('ENOTEMPTY')
      removeTree(at)
      return 'null'
    },
    rm({ path, recursive = false, force = false }) {
      let at: string
      try {
        at = found(path, false).at
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
      const target = tree.resolve(to, false)
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
      const target = tree.resolve(to)
      parentDir(target)
      change()
      if (exclusive && tree.get(target)) throw new FileFault('EEXIST')
      if (node.kind === 'dir' && !recursive) throw new FileFault('EISDIR')
      if (`${target}/`.startsWith(`${at}/`)) throw new FileFault('EINVAL')
      copy(at, target)
      return 'null'
    },
    symlink({ path, target = '' }) {
      const at = tree.resolve(path, false)
      parentDir(at)
      change()
      if (tree.get(at)) throw new FileFault('EEXIST')
      tree.put(at, newLink(now(), target))
      return 'null'
    },
    meta({ path, mode, mtimeMs }) {
      const { at } = found(path)
      change()
      tree.update(at, { ...(mode !== undefined && { mode: mode & 0o7777 }), ...(mtimeMs !== undefined && { mtimeMs }) })
      return 'null'
    },
  }
}
