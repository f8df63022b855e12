import type { Changes } from '../../shared/js/changes.js'
import type { Snapshot, SnapshotEntry } from '../../shared/js/snapshot.js'
import { bytesLeft, type MemoryBudget, makeRoom } from '../memory-budget.js'
import { changesOf } from './changes-of.js'
import { createCosts, type Held } from './costs.js'
import { FileFault } from './faults.js'
import { capacityOf, exactly, isGrowing, spareFor } from './growing-buffer.js'
import { type Known, type NewNode, nodeOf, type TreeNode } from './node.js'

export const MAX_LINKS = 40

/** The tree of a program: what it found, with what it has changed over it. */
export interface Tree {
  /** Absolute, with links followed; the last part may be missing. @throws {FileFault} */
  resolve(path: string, follow?: boolean): string
  get(path: string): TreeNode | undefined
  children(path: string): string[]
  /** Whether content of so many bytes, which is not made yet, may be at a path. @throws {FileFault} ENOSPC */
  checkSize(path: string, bytes: number): void
  /** How many bytes more may be made behind content of so many bytes that is not made yet. */
  spareFor(path: string, bytes: number): number
  /** The content of a file, which does not change any more. Undefined: it is no file, or was not read. */
  exactly(path: string): Uint8Array | undefined
  /** What was read while the program waited is kept where the program was given the content, as long as there is room, and nothing was changed. */
  settle(path: string): void
  /** @throws {FileFault} ENOSPC */
  put(path: string, node: NewNode): void
  /** Its content, mode or time, in place. @throws {FileFault} ENOSPC */
  update(path: string, change: Partial<Pick<NewNode, 'bytes' | 'mtimeMs' | 'mode' | 'timed'>>): void
  /** With everything below it; over what is at the other path, of which only a directory stays. @throws {FileFault} ENOSPC, before anything is moved */
  move(from: string, to: string): void
  /** With everything below it. */
  drop(path: string): void
  /** Its content is known, of some version. */
  hasContent(path: string): boolean
  /** Its content is known, of the version that was found. */
  isKnown(path: string, found: SnapshotEntry): boolean
  /** The program was given its content, and has changed nothing of it. */
  keepsUp(path: string): boolean
  /** What the workspace has there does not matter any more: the program has made, written or removed it, or what it is in. */
  isOwn(path: string): boolean
  /** Its content is handed to the program: what it writes there is made from this version. */
  noteRead(path: string): void
  /** What is read, and not settled, in bytes. */
  lent(): number
  /** What is there now, unless the program has changed it. Of a file whose mode or time it has changed, the content. @throws {FileFault} ENOSPC */
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
const below = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`

/** @param budget takes what the program adds, names and the like included */
export function createTree({ root, entries }: Snapshot, now: () => number, budget: MemoryBudget): Tree {
  const nodes = new Map<string, TreeNode>()
  /** What was found, before any change. Content is that of the node, or what the program was given. */
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
  /** @param more is another one when what is spare was given back */
  const checkRoom = (more: () => number): void => {
    if (more() <= 0) return
    makeRoom(budget, more())
    if (more() > bytesLeft(budget)) throw new FileFault('ENOSPC', `this program may hold ${budget.maxBytes} bytes`)
  }
  /** With content that has spare room behind it. */
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
  /** Every change of what a path holds goes through here: it is what is counted. */
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
  /** What was read of a file while the program ran, and is not its content any more. */
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
    // Of what was never in the workspace nothing is left to tell.
    if (base.has(path)) changed.add(path)
    else changed.delete(path)
  }
  /** The program has made or changed something below: it is not lost without a word, but written, or reported, at the end. */
  const hasOwn = (path: string): boolean => [...changed].some((one) => within(one, path))
  /** It is not there any more, and that is not the program's doing. */
  const vanish = (path: string): void => {
    const all = nodes.get(path)?.kind === 'dir' ? [...base.keys()].filter((one) => within(one, path)) : [path]
    drop(path)
    for (const known of all) {
      account(known, () => base.delete(known))
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
  /** What the workspace has at a path. Content that was read is lent to the path, until it is settled. */
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
  /** The content of a file of which the program has changed other things. */
  const refill = (path: string, found: SnapshotEntry): void => {
    const [known, node] = [base.get(path), nodes.get(path)]
    if (known?.kind !== 'file' || node?.kind !== 'file' || found.kind !== 'file' || !found.bytes || node.bytes !== known.bytes) return
    learn(
      path,
      { ...found, ...(known.mode !== undefined && { mode: known.mode }) },
      { ...node, bytes: found.bytes, size: found.bytes.length },
    )
  }
  /** One after the other: what becomes smaller counts for nothing. */
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
      // What was below it would be taken for what a link leads to.
      if (nodes.get(path)?.kind === 'dir' && found.kind !== 'dir') {
        if (hasOwn(path)) return
        vanish(path)
      }
      // A name alone tells nothing new of what is known.
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
