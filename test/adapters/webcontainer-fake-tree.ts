import { type FsAdapter, FsError, type FsErrorCode, type FsStat } from 'toolport'
import type { Dir, Node } from './webcontainer-fake.js'

/** The tree of a fake container for its own processes. It neither counts calls nor has faults. */
export function treeOf(root: Dir): FsAdapter {
  const times = new WeakMap<Node, number>()
  const modes = new WeakMap<Node, number>()
  const touched = <N extends Node>(node: N): N => {
    times.set(node, Date.now())
    return node
  }

  const at = (path: string, op: string): { parent: Dir; name: string; node: Node | undefined } => {
    const names = path.split('/').filter((name) => name !== '')
    const name = names.pop()
    let parent: Node = root
    for (const each of names) {
      const next: Node | undefined = parent.kind === 'dir' ? parent.entries.get(each) : undefined
      if (!next) throw fault(parent.kind === 'dir' ? 'ENOENT' : 'ENOTDIR', op, path)
      parent = next
    }
    if (parent.kind === 'link') throw fault('ELOOP', op, path)
    if (parent.kind !== 'dir') throw fault('ENOTDIR', op, path)
    return { parent, name: name ?? '', node: name === undefined ? root : parent.entries.get(name) }
  }
  const existing = (path: string, op: string): Node => {
    const { node } = at(path, op)
    if (!node) throw fault('ENOENT', op, path)
    return node
  }
  const file = (path: string, op: string): Extract<Node, { kind: 'file' }> => {
    const node = existing(path, op)
    if (node.kind !== 'file') throw fault(node.kind === 'dir' ? 'EISDIR' : 'ELOOP', op, path)
    return node
  }
  const added = (path: string, op: string, node: Node): void => {
    const { parent, name, node: old } = at(path, op)
    if (old) throw fault('EEXIST', op, path)
    parent.entries.set(name, touched(node))
  }

  return {
    name: 'tree of the fake',
    can: {
      mode: true,
      atomicReplace: true,
      dirRename: true,
      durableOnAck: true,
      caseSensitive: true,
      raceSafe: true,
      persistence: 'memory',
    },
    async lstat(path): Promise<FsStat> {
      const node = existing(path, 'stat')
      const size = node.kind === 'file' ? node.bytes.length : 0
      const mode = modes.get(node) ?? (node.kind === 'dir' ? 0o755 : 0o644)
      return { kind: node.kind === 'link' ? 'symlink' : node.kind, size, mtimeMs: times.get(node) ?? 0, mode }
    },
    async readdir(path) {
      const node = existing(path, 'list')
      if (node.kind !== 'dir') throw fault('ENOTDIR', 'list', path)
      return Array.from(node.entries, ([name, { kind }]) => ({ name, kind: kind === 'link' ? 'symlink' : kind }))
    },
    async read(path, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) {
      return file(path, 'read').bytes.slice(offset, offset + length)
    },
    async write(path, bytes, { create = 'always' } = {}) {
      const own = new Uint8Array(bytes)
      const { parent, name, node } = at(path, 'write')
      if (node?.kind === 'dir' || node?.kind === 'link') throw fault(node.kind === 'dir' ? 'EISDIR' : 'ELOOP', 'write', path)
      if (node && create === 'exclusive') throw fault('EEXIST', 'write', path)
      if (!node && create === 'never') throw fault('ENOENT', 'write', path)
      if (node) touched(node).bytes = own
      else parent.entries.set(name, touched({ kind: 'file', bytes: own }))
    },
    async mkdir(path) {
      added(path, 'make directory', { kind: 'dir', entries: new Map() })
    },
    async unlink(path) {
      const { parent, name, node } = at(path, 'remove')
      if (!node) throw fault('ENOENT', 'remove', path)
      if (node.kind === 'dir') throw fault('EISDIR', 'remove', path)
      parent.entries.delete(name)
    },
    async rmdir(path) {
      const { parent, name, node } = at(path, 'remove')
      if (!node) throw fault('ENOENT', 'remove', path)
      if (node.kind !== 'dir') throw fault('ENOTDIR', 'remove', path)
      if (node.entries.size > 0) throw fault('ENOTEMPTY', 'remove', path)
      parent.entries.delete(name)
    },
    async rename(from, to) {
      const source = at(from, 'move')
      const dest = at(to, 'move')
      if (!source.node) throw fault('ENOENT', 'move', from)
      if (source.node === dest.node) return
      if (dest.node?.kind === 'dir' && source.node.kind !== 'dir') throw fault('EISDIR', 'move', to)
      if (dest.node && dest.node.kind !== 'dir' && source.node.kind === 'dir') throw fault('ENOTDIR', 'move', to)
      if (dest.node?.kind === 'dir' && dest.node.entries.size > 0) throw fault('ENOTEMPTY', 'move', to)
      if (to.startsWith(`${from}/`)) throw fault('EINVAL', 'move', to)
      source.parent.entries.delete(source.name)
      dest.parent.entries.set(dest.name, source.node)
    },
    async readlink(path) {
      const node = existing(path, 'read link')
      if (node.kind !== 'link') throw fault('EINVAL', 'read link', path)
      return node.target
    },
    async symlink(target, path) {
      added(path, 'link', { kind: 'link', target })
    },
    async append(path, bytes) {
      const node = file(path, 'append to')
      const joined = new Uint8Array(node.bytes.length + bytes.length)
      joined.set(node.bytes)
      joined.set(bytes, node.bytes.length)
      touched(node).bytes = joined
    },
    async setMeta(path, { mode, mtimeMs }) {
      const node = existing(path, 'change')
      if (mode !== undefined) modes.set(node, mode)
      if (mtimeMs !== undefined) times.set(node, mtimeMs)
    },
    async flush() {},
    async close() {},
  }
}

const fault = (code: FsErrorCode, op: string, path: string): FsError => new FsError({ code, op, path })
