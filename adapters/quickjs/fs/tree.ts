import type { Changes } from '../../shared/js/changes.js'
import type { Snapshot, SnapshotEntry } from '../../shared/js/snapshot.js'
import { type Room, roomLeft } from '../room.js'
import { FileFault } from './faults.js'

const MAX_LINKS = 40
const DIR_MODE = 0o755
const FILE_MODE = 0o644
/** What an entry takes beside its name and content, about. */
const ENTRY_BYTES = 512

export interface TreeNode {
  kind: 'file' | 'dir' | 'symlink'
  /** A file's; undefined: it was not read. */
  bytes: Uint8Array | undefined
  size: number
  mtimeMs: number
  mode: number
  target: string | undefined
  readonly ino: number
}

/** The tree of a program: what it found, with what it has changed over it. */
export interface Tree {
  /** Absolute, with links followed; the last part may be missing. @throws {FileFault} */
  resolve(path: string, follow?: boolean): string
  get(path: string): TreeNode | undefined
  children(path: string): string[]
  /** Room for what is to be at a path; of what is there already only what is more. @throws {FileFault} ENOSPC */
  reserve(path: string, bytes: number): void
  /** What is at a path takes no room any more: it goes. */
  release(path: string): void
  /** Room for all that a move makes larger, before anything is moved. @throws {FileFault} ENOSPC */
  checkMove(from: string, to: string): void
  /** What was read while the program waited is kept where the snapshot has the file, as long as there is room. */
  settle(path: string): void
  /** @throws {FileFault} ENOSPC */
  put(path: string, node: Omit<TreeNode, 'ino'>): void
  /** With everything below it. */
  drop(path: string): void
  /** Its content, mode or time was changed in place. */
  touch(path: string): void
  /** What is there now, unless the program has changed it. */
  refresh(path: string, found: SnapshotEntry | undefined): void
  changes(): Changes
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
const within = (path: string, folder: string): boolean => folder === '/' || path === folder || path.startsWith(`${folder}/`)

/** @param room takes what the program adds, names and the like included */
export function createTree({ root, entries }: Snapshot, now: () => number, room: Room): Tree {
  const nodes = new Map<string, TreeNode>()
  /** What was found, before any change. */
  const base = new Map<string, SnapshotEntry>()
  const changed = new Set<string>()
  let inodes = 0

  const nodeOf = (entry: SnapshotEntry): TreeNode => ({
    kind: entry.kind,
    bytes: entry.bytes,
    size: entry.size ?? 0,
    mtimeMs: entry.mtimeMs ?? now(),
    mode: entry.mode ?? (entry.kind === 'dir' ? DIR_MODE : FILE_MODE),
    target: entry.target,
    ino: ++inodes,
  })
  const folder = (path: string): void => {
    if (nodes.has(path)) return
    if (path !== '/') folder(parentOf(path))
    nodes.set(path, nodeOf({ path, kind: 'dir' }))
  }
  const names = new Map<string, Set<string>>()
  const enlist = (path: string): void => {
    if (path === '/') return
    const parent = parentOf(path)
    const list = names.get(parent) ?? new Set()
    list.add(path.slice(path.lastIndexOf('/') + 1))
    names.set(parent, list)
  }
  const add = (path: string, node: TreeNode): void => {
    nodes.set(path, node)
    enlist(path)
  }
  folder(root)
  folder('/tmp')
  for (const path of [...nodes.keys()]) enlist(path)
  /** Of the files that were read before the program ran: bytes. */
  const sizes = new Map<string, number>()
  for (const entry of entries) {
    if (entry.bytes) sizes.set(entry.path, entry.bytes.length)
    base.set(entry.path, entry)
    add(entry.path, nodeOf(entry))
  }

  const resolve = (path: string, follow = true, links = { left: MAX_LINKS }): string => {
    let at = ''
    const parts = path.split('/').filter((part) => part !== '' && part !== '.')
    for (const [index, part] of parts.entries()) {
      if (part === '..') {
        at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
        continue
      }
      const here = nodes.get(at || '/')
      if (!here) throw new FileFault('ENOENT')
      if (here.kind !== 'dir') throw new FileFault('ENOTDIR')
      const next = `${at}/${part}`
      const node = nodes.get(next)
      const last = index === parts.length - 1
      if (node?.kind === 'symlink' && (follow || !last)) {
        if (links.left-- <= 0) throw new FileFault('ELOOP')
        const target = node.target ?? ''
        at = resolve(target.startsWith('/') ? target : `${at}/${target}`, true, links)
        if (at === '/') at = ''
        if (!last && !nodes.has(at || '/')) throw new FileFault('ENOENT')
      } else {
        if (!node && !last) throw new FileFault('ENOENT')
        at = next
      }
    }
    return at || '/'
  }
  /** By path, what the program has added. */
  const taken = new Map<string, number>()
  const release = (path: string): void => {
    room.files -= taken.get(path) ?? 0
    taken.delete(path)
  }
  const costOf = (path: string, bytes: number): number => ENTRY_BYTES + 2 * path.length + bytes
  const checkRoom = (more: number): void => {
    if (more > 0 && more > roomLeft(room)) throw new FileFault('ENOSPC', `this program may hold ${room.maxBytes} bytes`)
  }
  const contentBytes = ({ bytes, target }: Pick<TreeNode, 'bytes' | 'target'>): number => bytes?.length ?? 2 * (target?.length ?? 0)
  const reserve = (path: string, bytes: number): void => {
    const cost = costOf(path, bytes)
    const more = cost - (taken.get(path) ?? 0)
    checkRoom(more)
    room.files += more
    taken.set(path, cost)
  }
  const drop = (path: string): void => {
    for (const name of [...(names.get(path) ?? [])]) drop(`${path === '/' ? '' : path}/${name}`)
    nodes.delete(path)
    names.delete(path)
    names.get(parentOf(path))?.delete(path.slice(path.lastIndexOf('/') + 1))
    release(path)
    // Of what was never in the workspace nothing is left to tell.
    if (base.has(path)) changed.add(path)
    else changed.delete(path)
  }
  /** Something at or above it was removed or made by the program. */
  const isOwn = (path: string): boolean => {
    for (let at = path; at !== '/' && within(at, root); at = parentOf(at))
      if (changed.has(at) && (at === path || !base.has(at) || !nodes.has(at))) return true
    return !within(path, root)
  }
  /** One after the other: what becomes smaller counts for nothing. */
  const growthOf = (from: string, to: string): number => {
    const node = nodes.get(from)
    if (!node) return 0
    const own = costOf(to, contentBytes(node)) - (taken.get(from) ?? 0) - (taken.get(to) ?? 0)
    return [...(names.get(from) ?? [])].reduce((sum, name) => sum + growthOf(`${from}/${name}`, `${to}/${name}`), Math.max(0, own))
  }
  return {
    resolve,
    drop,
    reserve,
    release,
    checkMove: (from, to) => checkRoom(growthOf(from, to)),
    settle(path) {
      const [entry, node] = [base.get(path), nodes.get(path)]
      if (!entry || !node?.bytes || isOwn(path)) return
      const more = Math.max(0, node.bytes.length - (sizes.get(path) ?? Infinity))
      const change = more - (taken.get(path) ?? 0)
      if (sizes.has(path) && change <= roomLeft(room)) {
        room.files += change
        taken.set(path, more)
        return
      }
      release(path)
      nodes.set(path, { ...node, bytes: undefined })
      base.set(path, { ...entry, bytes: undefined })
    },
    get: (path) => nodes.get(path),
    children: (path) => [...(names.get(path) ?? [])].sort(),
    put(path, node) {
      reserve(path, contentBytes(node))
      add(path, { ...node, ino: ++inodes })
      changed.add(path)
    },
    touch: (path) => void changed.add(path),
    refresh(path, found) {
      if (isOwn(path)) return
      if (!found) {
        if (!nodes.has(path)) return
        drop(path)
        for (const known of [path, ...base.keys()].filter((one) => within(one, path))) {
          base.delete(known)
          changed.delete(known)
        }
        return
      }
      if (!nodes.has(parentOf(path))) folder(parentOf(path))
      enlist(parentOf(path))
      // A name alone tells nothing new of what is known.
      if (found.size === undefined && nodes.get(path)?.kind === found.kind) return
      base.set(path, found)
      add(path, { ...nodeOf(found), ino: nodes.get(path)?.ino ?? ++inodes })
    },
    changes() {
      const removed: Changes[number][] = []
      const made: Changes[number][] = []
      for (const path of [...changed].filter((one) => within(one, root)).sort()) {
        const [before, after] = [base.get(path), nodes.get(path)]
        const replaced = before && (!after || after.kind !== before.kind || (after.kind === 'symlink' && after.target !== before.target))
        if (replaced)
          removed.unshift({ do: 'remove', path, kind: before.kind, ...(before.version !== undefined && { expect: before.version }) })
        if (!after) continue
        const kept = before && !replaced ? before : undefined
        if (after.kind === 'dir' && !kept) made.push({ do: 'mkdir', path })
        else if (after.kind === 'symlink' && !kept) made.push({ do: 'symlink', path, target: after.target ?? '' })
        else if (after.kind === 'file' && after.bytes && after.bytes !== kept?.bytes) {
          made.push({ do: 'write', path, bytes: after.bytes, ...(kept?.version !== undefined && { expect: kept.version }) })
        }
        const mode = kept ? (kept.mode ?? after.mode) : after.kind === 'dir' ? DIR_MODE : FILE_MODE
        if (after.kind !== 'symlink' && after.mode !== mode) made.push({ do: 'meta', path, mode: after.mode })
      }
      return [...removed, ...made]
    },
  }
}

export const newDir = (now: number, mode: number = DIR_MODE): Omit<TreeNode, 'ino'> => ({
  kind: 'dir',
  bytes: undefined,
  size: 0,
  mtimeMs: now,
  mode,
  target: undefined,
})
export const newFile = (now: number, bytes: Uint8Array, mode: number = FILE_MODE): Omit<TreeNode, 'ino'> => ({
  kind: 'file',
  bytes,
  size: bytes.length,
  mtimeMs: now,
  mode,
  target: undefined,
})
export const newLink = (now: number, target: string): Omit<TreeNode, 'ino'> => ({
  kind: 'symlink',
  bytes: undefined,
  size: target.length,
  mtimeMs: now,
  mode: 0o777,
  target,
})
