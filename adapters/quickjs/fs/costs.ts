import type { SnapshotEntry } from '../../shared/js/snapshot.js'
import { capacityOf } from './growing-buffer.js'
import type { NewNode } from './node.js'

/** What an entry takes beside its name and content, about. */
const ENTRY_BYTES = 512

export type Held = Partial<Pick<NewNode, 'bytes' | 'target'>>

/** What the entries of a program's tree take of its room: what the program was given, names and content, takes none. */
export interface Costs {
  /**
   * What a path takes, in bytes, that holds `node` now, where the workspace had `found`: a function of these alone, so that what is counted is
   * the difference that a change makes. Content of `found` is the node's, or was given. `extra` is content that is not made yet.
   */
  of(path: string, node: Held | undefined, found: Pick<Held, 'target'> | undefined, extra?: number): number
  isGiven(bytes: Uint8Array): boolean
  /** The program was given the content of this file: what is read of it later may be kept in its place. */
  isReadable(path: string): boolean
  /** Content that was read to answer one question takes no room at this path until the question is answered. */
  lend(path: string, bytes: Uint8Array): void
  /** All that is lent, in bytes. */
  lent(): number
  lentTo(path: string): Uint8Array | undefined
  /** What was lent to the path takes room from now on. */
  takeBack(path: string): void
}

/** @param paths what there is beside the entries */
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
