import type { Changes } from '../../shared/js/changes.js'
import type { Snapshot, SnapshotEntry } from '../../shared/js/snapshot.js'
import { type Room, roomLeft } from '../room.js'
import { FileFault } from './faults.js'

export const MAX_LINKS = 40
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
  /** Whether content of so many bytes, which is not made yet, may be at a path. @throws {FileFault} ENOSPC */
  checkSize(path: string, bytes: number): void
  /** Room for the content that is to be at a path; of what is there already only what is more. @throws {FileFault} ENOSPC */
  reserve(path: string, bytes: Uint8Array): void
  /** What is at a path takes no room any more: it goes. */
  release(path: string): void
  /** Room for all that a move makes larger, before anything is moved. @throws {FileFault} ENOSPC */
  checkMove(from: string, to: string): void
  /** What was read while the program waited is kept where the snapshot has the file, as long as there is room, and nothing was changed. */
  settle(path: string): void
  /** @throws {FileFault} ENOSPC */
  put(path: string, node: Omit<TreeNode, 'ino'>): void
  /** With everything below it. */
  drop(path: string): void
  /** Its content, mode or time was changed in place. */
  touch(path: string): void
  /** What is there now, unless the program has changed it. Of a file whose mode or time it has changed, the content. */
  refresh(path: string, found: SnapshotEntry | undefined): void
  changes(): Changes
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
/** @throws {FileFault} EAGAIN, where nobody has read it */
export function targetOf({ target }: Pick<TreeNode, 'target'>): string {
  if (target === undefined) throw new FileFault('EAGAIN', 'where this link leads to was not read: use fs/promises')
  return target
}
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
  const folder = (path: string): void => {
    if (nodes.has(path)) return
    if (path !== '/') folder(parentOf(path))
    add(path, nodeOf({ path, kind: 'dir' }))
  }
  folder(root)
  folder('/tmp')
  /** What was there before the program ran, the files of it that were read, and their content: they take no room of the program's. */
  const given = new Set<string>(nodes.keys())
  const readable = new Set<string>()
  const givenBytes = new WeakSet<Uint8Array>()
  for (const entry of entries) {
    given.add(entry.path)
    if (entry.bytes) {
      readable.add(entry.path)
      givenBytes.add(entry.bytes)
    }
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
        const target = targetOf(node)
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
  const count = (path: string, bytes: number): void => {
    room.files += bytes - (taken.get(path) ?? 0)
    if (bytes === 0) taken.delete(path)
    else taken.set(path, bytes)
  }
  const release = (path: string): void => count(path, 0)
  const costOf = (path: string, bytes: number): number => ENTRY_BYTES + 2 * path.length + bytes
  const checkRoom = (more: number): void => {
    if (more > 0 && more > roomLeft(room)) throw new FileFault('ENOSPC', `this program may hold ${room.maxBytes} bytes`)
  }
  const moreAt = (path: string, bytes: number): number => costOf(path, bytes) - (taken.get(path) ?? 0)
  const lengthOf = (bytes: Uint8Array): number => (givenBytes.has(bytes) ? 0 : bytes.length)
  const contentBytes = ({ bytes, target }: Pick<TreeNode, 'bytes' | 'target'>): number =>
    bytes ? lengthOf(bytes) : 2 * (target?.length ?? 0)
  const reserve = (path: string, bytes: number): void => {
    checkRoom(moreAt(path, bytes))
    count(path, costOf(path, bytes))
  }
  /** Of what the program has found, but not changed, without what is in it. */
  const countFound = (path: string, target = ''): void => {
    if (given.has(path)) release(path)
    else reserve(path, 2 * target.length)
  }
  /** What was read of a file while the program ran, and is not its content any more. */
  const forget = (path: string): void => {
    const known = base.get(path)
    if (known?.bytes && known.bytes !== nodes.get(path)?.bytes && !givenBytes.has(known.bytes))
      base.set(path, { ...known, bytes: undefined })
  }
  const drop = (path: string): void => {
    for (const name of [...(names.get(path) ?? [])]) drop(`${path === '/' ? '' : path}/${name}`)
    nodes.delete(path)
    forget(path)
    names.delete(path)
    names.get(parentOf(path))?.delete(path.slice(path.lastIndexOf('/') + 1))
    release(path)
    // Of what was never in the workspace nothing is left to tell.
    if (base.has(path)) changed.add(path)
    else changed.delete(path)
  }
  /** The program has made or changed something below: it is not lost without a word, but written, or reported, at the end. */
  const hasOwn = (path: string): boolean => [...changed].some((one) => within(one, path))
  /** It is not there any more, and that is not the program's doing. */
  const vanish = (path: string): void => {
    drop(path)
    for (const known of [path, ...base.keys()].filter((one) => within(one, path))) {
      base.delete(known)
      changed.delete(known)
    }
  }
  /** Something above it was removed or made by the program. */
  const isBelowOwn = (path: string): boolean => {
    for (let at = parentOf(path); at !== '/' && within(at, root); at = parentOf(at))
      if (changed.has(at) && (!base.has(at) || !nodes.has(at))) return true
    return !within(path, root)
  }
  /** A version that is known already is not held twice. */
  const oneOf = (path: string, found: SnapshotEntry): SnapshotEntry => {
    const known = base.get(path)
    return known?.bytes && found.kind === 'file' && known.version !== undefined && known.version === found.version
      ? { ...found, bytes: known.bytes }
      : found
  }
  /** The content of a file of which the program has changed other things. */
  const refill = (path: string, found: SnapshotEntry): void => {
    const [known, node] = [base.get(path), nodes.get(path)]
    if (known?.kind !== 'file' || node?.kind !== 'file' || found.kind !== 'file' || !found.bytes || node.bytes !== known.bytes) return
    base.set(path, { ...found, ...(known.mode !== undefined && { mode: known.mode }) })
    nodes.set(path, { ...node, bytes: found.bytes, size: found.bytes.length })
  }
  /** There is room for content that was read, beside what else the program has: it is counted. */
  const keep = (path: string, { length }: Uint8Array): boolean => {
    if (!readable.has(path) || length - (taken.get(path) ?? 0) > roomLeft(room)) return false
    count(path, length)
    return true
  }
  /** One after the other: what becomes smaller counts for nothing. */
  const growthOf = (from: string, to: string): number => {
    const node = nodes.get(from)
    if (!node) return 0
    const own = moreAt(to, contentBytes(node)) - (taken.get(from) ?? 0)
    return [...(names.get(from) ?? [])].reduce((sum, name) => sum + growthOf(`${from}/${name}`, `${to}/${name}`), Math.max(0, own))
  }
  return {
    resolve,
    drop,
    reserve: (path, bytes) => reserve(path, lengthOf(bytes)),
    release,
    checkSize: (path, bytes) => checkRoom(moreAt(path, bytes)),
    checkMove: (from, to) => checkRoom(growthOf(from, to)),
    settle(path) {
      const [entry, node] = [base.get(path), nodes.get(path)]
      if (!entry?.bytes || givenBytes.has(entry.bytes)) return
      if (!node || keep(path, entry.bytes)) return
      countFound(path)
      base.set(path, { ...entry, bytes: undefined })
      nodes.set(path, { ...node, bytes: undefined })
    },
    get: (path) => nodes.get(path),
    children: (path) => [...(names.get(path) ?? [])].sort(),
    put(path, node) {
      reserve(path, contentBytes(node))
      add(path, { ...node, ino: ++inodes })
      changed.add(path)
      forget(path)
    },
    touch(path) {
      changed.add(path)
      forget(path)
    },
    refresh(path, found) {
      if (isBelowOwn(path)) return
      if (changed.has(path)) {
        if (found) refill(path, oneOf(path, found))
        return
      }
      if (!found) {
        if (nodes.has(path) && !hasOwn(path)) vanish(path)
        return
      }
      if (nodes.get(parentOf(path))?.kind !== 'dir') return
      // What was below it would be taken for what a link leads to.
      if (nodes.get(path)?.kind === 'dir' && found.kind !== 'dir') {
        if (hasOwn(path)) return
        vanish(path)
      }
      // A name alone tells nothing new of what is known.
      if (found.size === undefined && nodes.get(path)?.kind === found.kind) return
      const [entry, known] = [oneOf(path, found), base.get(path)]
      if (!known || entry.bytes !== known.bytes || entry.target !== known.target) countFound(path, entry.target)
      base.set(path, entry)
      add(path, { ...nodeOf(entry), ino: nodes.get(path)?.ino ?? ++inodes })
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
