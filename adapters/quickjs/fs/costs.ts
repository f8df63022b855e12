import type { SnapshotEntry } from '../../shared/js/snapshot.js'
import { capacityOf } from './growing-buffer.js'
import type { NewNode } from './node.js'

/** Approximate memory of an entry without its name and content. */
const ENTRY_BYTES = 512

export type Held = Partial<Pick<NewNode, 'bytes' | 'target'>>

/** Memory costs of the entries in a program's tree. Names and content that come from the snapshot are free. */
export interface Costs {
  /**
   * Returns the cost in bytes of a path that holds `node` now and `found` in the workspace. Depends only on its arguments, so that callers
   * can compute the difference that a change makes. Content of `found` is the content of the node or comes from the snapshot. `extra`: size
   * of content that is not created yet.
   */
  of(path: string, node: Held | undefined, found: Pick<Held, 'target'> | undefined, extra?: number): number
  isGiven(bytes: Uint8Array): boolean
  /** Whether the snapshot had the content of this file, so that newer content may replace it. */
  isReadable(path: string): boolean
  /** Makes content free at a path until `takeBack`, because it was read for a question that is not answered yet. */
  lend(path: string, bytes: Uint8Array): void
  /** Total number of bytes of the content that `lend` has made free. */
  lent(): number
  lentTo(path: string): Uint8Array | undefined
  /** Undoes `lend` for a path, so that its content costs memory from now on. */
  takeBack(path: string): void
}

/** @param paths existing paths besides the entries */
export function createCosts(entries: readonly SnapshotEntry[], paths: Iterable<string>): Costs {
  const names = new Set(paths)
  const contents = new WeakSet<Uint8Array>()
  const readable = new Set<string>()
  const targets = new Map<string, string>()
  const lent = new Map<string, Uint8Array>()
  for (const { path, bytes, target } of entries) {
    names.add(path)
    if (target !== undefined) targets.set(path, target)
    if (!bytes) continue
    contents.add(bytes)
    readable.add(path)
  }
  const ofBytes = (path: string, bytes: Uint8Array | undefined): number =>
    !bytes || contents.has(bytes) || lent.get(path) === bytes ? 0 : capacityOf(bytes)
  const ofTarget = (path: string, target: string | undefined): number =>
    target === undefined || targets.get(path) === target ? 0 : 2 * target.length
  return {
    of(path, node, found, extra = 0) {
      if (!node && !found) return 0
      const name = names.has(path) ? 0 : ENTRY_BYTES + 2 * path.length
      const own = ofBytes(path, node?.bytes) + ofTarget(path, node?.target)
      const before = found?.target === node?.target ? 0 : ofTarget(path, found?.target)
      return name + own + before + extra
    },
    isGiven: (bytes) => contents.has(bytes),
    isReadable: (path) => readable.has(path),
    lend: (path, bytes) => {
      lent.set(path, bytes)
    },
    lent: () => [...lent.values()].reduce((sum, { length }) => sum + length, 0),
    lentTo: (path) => lent.get(path),
    takeBack: (path) => {
      lent.delete(path)
    },
  }
}
