import type { Changes } from '../../shared/js/changes.js'
import type { Snapshot, SnapshotEntry } from '../../shared/js/snapshot.js'
import { bytesLeft, type MemoryBudget, makeRoom } from '../memory-budget.js'
import { changesOf } from './changes-of.js'
import { createCosts, type Held } from './costs.js'
import { FileFault } from './faults.js'
import { capacityOf, exactly, isGrowing, spareFor } from './growing-buffer.js'
import { type Known, type NewNode, nodeOf, type TreeNode } from './node.js'

export const MAX_LINKS = 40

/** The tree of a program: the workspace's entries with the program's changes applied. */
export interface Tree {
  /** Resolves an absolute path and follows symlinks. The last component may be missing. @throws {FileFault} */
  resolve(path: string, follow?: boolean): string
  get(path: string): TreeNode | undefined
  children(path: string): string[]
  /** Checks whether a path may hold new content of `bytes` bytes. @throws {FileFault} ENOSPC */
  checkSize(path: string, bytes: number): void
  /** Returns how many spare bytes a new buffer for `bytes` bytes of content gets. */
  spareFor(path: string, bytes: number): number
  /**
   * Returns the content of a file, in an array that later writes do not change. Returns undefined if the path is not a file or its content
   * was not read.
   */
  exactly(path: string): Uint8Array | undefined
  /**
   * Call when the file system call that read the content is answered. From then on the content counts in the budget. Drops the content if
   * the snapshot did not include the content of this file, or if memory is short.
   */
  settle(path: string): void
  /** @throws {FileFault} ENOSPC */
  put(path: string, node: NewNode): void
  /** Changes content, mode or time of a node. @throws {FileFault} ENOSPC */
  update(path: string, change: Partial<Pick<NewNode, 'bytes' | 'mtimeMs' | 'mode' | 'timed'>>): void
  /** Moves a subtree; replaces the target unless both are directories. @throws {FileFault} ENOSPC, before anything is moved */
  move(from: string, to: string): void
  /** Removes an entry and everything below it. */
  drop(path: string): void
  /** Whether the tree has content for the file, whatever its version. */
  hasContent(path: string): boolean
  /** Whether the tree has the content of exactly this version. */
  isKnown(path: string, found: SnapshotEntry): boolean
  /** Whether the snapshot had the content of the file and the program has not changed the file. */
  keepsUp(path: string): boolean
  /**
   * Whether the program has created, written or removed the entry or one of its parents, so that the workspace's entry no longer matters.
   */
  isOwn(path: string): boolean
  /** Call when the program reads the content. Later writes of the program are then based on this version. */
  noteRead(path: string): void
  /** Number of bytes that were read and do not count in the budget yet (`settle`). */
  lent(): number
  /**
   * Updates an entry from the workspace unless the program has changed it. If the program has changed only mode or time, updates only the
   * content.
   * @throws {FileFault} ENOSPC
   */
  refresh(path: string, found: SnapshotEntry | undefined): void
  changes(): Changes
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
/** @throws {FileFault} EAGAIN if the target was not read */
export function targetOf({ target }: Pick<TreeNode, 'target'>): string {
  if (target === undefined) throw new FileFault('EAGAIN', 'where this link leads to was not read: use fs/promises')
  return target
}
const within = (path: string, folder: string): boolean => folder === '/' || path === folder || path.startsWith(`${folder}/`)
const below = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`

/** @param budget counts everything that the program adds, including names */
export function createTree({ root, entries }: Snapshot, now: () => number, budget: MemoryBudget): Tree {
  const nodes = new Map<string, TreeNode>()
  /** The workspace's entries, without the program's changes. Content in them is the content of the node or comes from the snapshot. */
  const base = new Map<string, Known>()
  const changed = new Set<string>()
  let inodes = 0

  const names = new Map<string, Set<string>>()
  const enlist = (path: string): void => {
    if (path === '/') return
    const parent = parentOf(path)
    const list = names.get(parent) ?? new Set()
    list.add(path.slice(path.lastIndexOf('/') + 1))
    names.set(parent, list)
  }
  const add = (path: string, node: NewNode, ino: number = ++inodes): void => {
    nodes.set(path, { ...node, ino })
    enlist(path)
  }
  const folder = (path: string): void => {
    if (nodes.has(path)) return
    if (path !== '/') folder(parentOf(path))
    add(path, nodeOf({ path, kind: 'dir' }, now()))
  }
  folder(root)
  folder('/tmp')
  const costs = createCosts(entries, nodes.keys())
  for (const entry of entries) {
    base.set(entry.path, entry)
    add(entry.path, nodeOf(entry, now()))
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
  const costAt = (path: string, node: Held | undefined = nodes.get(path), extra = 0): number => costs.of(path, node, base.get(path), extra)
  /** @param more returns the additional bytes. Called again after spare bytes were released, because this can change the result. */
  const checkRoom = (more: () => number): void => {
    if (more() <= 0) return
    makeRoom(budget, more())
    if (more() > bytesLeft(budget)) throw new FileFault('ENOSPC', `this program may hold ${budget.maxBytes} bytes`)
  }
  /** Paths whose content has spare room. */
  const growing = new Set<string>()
  const spareAt = (path: string): number => {
    const bytes = nodes.get(path)?.bytes
    if (!bytes || !isGrowing(bytes)) {
      growing.delete(path)
      return 0
    }
    growing.add(path)
    return capacityOf(bytes) - bytes.length
  }
  /** Applies a change to a path and updates the budget. Every change of a path must go through this function. */
  const account = (path: string, change: () => void): void => {
    const [before, spare] = [costAt(path), spareAt(path)]
    change()
    budget.files += costAt(path) - before
    budget.spare += spareAt(path) - spare
    makeRoom(budget, 0)
  }
  const exactAt = (path: string): Uint8Array | undefined => {
    const node = nodes.get(path)
    if (node?.bytes && isGrowing(node.bytes)) {
      const bytes = exactly(node.bytes)
      account(path, () => nodes.set(path, { ...node, bytes }))
    }
    return nodes.get(path)?.bytes
  }
  budget.giveBack = () => {
    for (const path of [...growing]) exactAt(path)
  }
  /** Drops content that was read while the program ran, if the node no longer holds it. */
  const forget = (path: string): void => {
    const known = base.get(path)
    if (known?.bytes && known.bytes !== nodes.get(path)?.bytes && !costs.isGiven(known.bytes))
      base.set(path, { ...known, bytes: undefined })
  }
  const set = (path: string, node: NewNode, ino?: number): void => {
    checkRoom(() => costAt(path, node) - costAt(path))
    account(path, () => {
      add(path, node, ino)
      forget(path)
    })
    changed.add(path)
  }
  const drop = (path: string): void => {
    for (const name of [...(names.get(path) ?? [])]) drop(below(path, name))
    account(path, () => {
      nodes.delete(path)
      forget(path)
    })
    names.delete(path)
    names.get(parentOf(path))?.delete(path.slice(path.lastIndexOf('/') + 1))
    // An entry that was never in the workspace leaves no change.
    if (base.has(path)) changed.add(path)
    else changed.delete(path)
  }
  /**
   * Whether the program has created or changed an entry at or below the path. Such a change must not be lost: it is written or reported at
   * the end.
   */
  const hasOwn = (path: string): boolean => [...changed].some((one) => within(one, path))
  /** Removes an entry that no longer exists in the workspace. */
  const vanish = (path: string): void => {
    const all = nodes.get(path)?.kind === 'dir' ? [...base.keys()].filter((one) => within(one, path)) : [path]
    drop(path)
    for (const known of all) {
      account(known, () => base.delete(known))
      changed.delete(known)
    }
  }
  /** Whether the program has removed or created a parent of the path, or the path is outside the workspace. */
  const isBelowOwn = (path: string): boolean => {
    for (let at = parentOf(path); at !== '/' && within(at, root); at = parentOf(at))
      if (changed.has(at) && (!base.has(at) || !nodes.has(at))) return true
    return !within(path, root)
  }
  /** Returns `found`. If the version is unchanged, adds the content that is already known. */
  const oneOf = (path: string, found: SnapshotEntry): SnapshotEntry => {
    const known = base.get(path)
    return known?.bytes && found.kind === 'file' && known.version !== undefined && known.version === found.version
      ? { ...found, bytes: known.bytes }
      : found
  }
  /** Records the workspace's entry at a path. New content does not count in the budget until `settle`. */
  const learn = (path: string, entry: SnapshotEntry, node: TreeNode): void => {
    const read = entry.bytes && entry.bytes !== base.get(path)?.bytes ? entry.bytes : undefined
    const held = read ? { target: entry.target, bytes: undefined } : { target: entry.target, bytes: entry.bytes }
    checkRoom(() => costs.of(path, held, held) - costAt(path))
    account(path, () => {
      if (read) costs.lend(path, read)
      const known = base.get(path)?.read
      base.set(path, known === undefined ? entry : { ...entry, read: known })
      add(path, node, node.ino)
    })
  }
  /** Updates the content of a file of which the program has changed only mode or time. */
  const refill = (path: string, found: SnapshotEntry): void => {
    const [known, node] = [base.get(path), nodes.get(path)]
    if (known?.kind !== 'file' || node?.kind !== 'file' || found.kind !== 'file' || !found.bytes || node.bytes !== known.bytes) return
    learn(
      path,
      { ...found, ...(known.mode !== undefined && { mode: known.mode }) },
      { ...node, bytes: found.bytes, size: found.bytes.length },
    )
  }
  /** Returns the number of bytes that a move adds. An entry whose cost shrinks does not offset the growth of others. */
  const growthOf = (from: string, to: string): number => {
    const node = nodes.get(from)
    if (!node) return 0
    const left = costs.of(from, undefined, base.get(from)) - costAt(from)
    const own = costAt(to, node) - costAt(to) + left
    return [...(names.get(from) ?? [])].reduce((sum, name) => sum + growthOf(below(from, name), below(to, name)), Math.max(0, own))
  }
  const relocate = (from: string, to: string): void => {
    const node = nodes.get(from)
    if (!node) return
    account(from, () => {
      nodes.delete(from)
      forget(from)
    })
    if (nodes.get(to)?.kind !== 'dir') drop(to)
    set(to, node, node.ino)
    for (const name of names.get(from) ?? []) relocate(below(from, name), below(to, name))
  }
  return {
    resolve,
    drop,
    get: (path) => nodes.get(path),
    children: (path) => [...(names.get(path) ?? [])].sort(),
    checkSize: (path, bytes) => checkRoom(() => costAt(path, NOTHING, bytes) - costAt(path)),
    spareFor: (path, bytes) => spareFor(bytes, bytesLeft(budget) - budget.spare - costAt(path, NOTHING, bytes) + costAt(path)),
    exactly: exactAt,
    hasContent: (path) => base.get(path)?.bytes !== undefined,
    isKnown: (path, found) => oneOf(path, found).bytes !== undefined,
    keepsUp: (path) => costs.isReadable(path) && !changed.has(path),
    isOwn(path) {
      if (isBelowOwn(path)) return true
      const [known, node] = [base.get(path), nodes.get(path)]
      return changed.has(path) && !(known?.kind === 'file' && node?.kind === 'file' && node.bytes === known.bytes)
    },
    noteRead(path) {
      const known = base.get(path)
      if (known?.version !== undefined && known.read !== known.version) base.set(path, { ...known, read: known.version })
    },
    lent: () => costs.lent(),
    settle(path) {
      const lent = costs.lentTo(path)
      if (!lent) return
      const [entry, node] = [base.get(path), nodes.get(path)]
      const kept = costs.isReadable(path) && lent.length <= bytesLeft(budget)
      account(path, () => {
        costs.takeBack(path)
        if (kept) return
        if (entry?.bytes === lent) base.set(path, { ...entry, bytes: undefined })
        if (node?.bytes === lent) nodes.set(path, { ...node, bytes: undefined })
      })
    },
    put: (path, node) => set(path, node),
    update(path, change) {
      const node = nodes.get(path)
      if (node) set(path, { ...node, ...change, ...(change.bytes && { size: change.bytes.length }) }, node.ino)
    },
    move(from, to) {
      checkRoom(() => growthOf(from, to))
      relocate(from, to)
      drop(from)
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
      // Remove the old directory. Otherwise, its entries would appear below the target of the link.
      if (nodes.get(path)?.kind === 'dir' && found.kind !== 'dir') {
        if (hasOwn(path)) return
        vanish(path)
      }
      // An entry with only a name and kind adds no information.
      if (found.size === undefined && nodes.get(path)?.kind === found.kind) return
      const entry = oneOf(path, found)
      learn(path, entry, { ...nodeOf(entry, now()), ino: nodes.get(path)?.ino ?? ++inodes })
    },
    changes() {
      const inside = [...changed].filter((one) => within(one, root)).sort()
      for (const path of inside) exactAt(path)
      return changesOf(inside.map((path) => ({ path, before: base.get(path), after: nodes.get(path) })))
    },
  }
}

const NOTHING: Held = {}
