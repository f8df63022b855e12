import type { Change, Changes } from '../../shared/js/changes.js'
import type { SnapshotEntry } from '../../shared/js/snapshot.js'
import { DIR_MODE, FILE_MODE, type TreeNode } from './node.js'

/** One path of a program's tree: as it was found, and as the program has left it. */
export interface Changed {
  readonly path: string
  readonly before: SnapshotEntry | undefined
  readonly after: TreeNode | undefined
  /** The program could not know what is there. */
  readonly unknown: boolean
}

/** What there is to write for them, in an order that can be written. @param all by path, in order */
export function changesOf(all: readonly Changed[]): Changes {
  const removed: Change[] = []
  const made: Change[] = []
  for (const { path, before, after, unknown } of all) {
    const replaced = before && (!after || after.kind !== before.kind || (after.kind === 'symlink' && after.target !== before.target))
    if (replaced)
      removed.unshift({ do: 'remove', path, kind: before.kind, ...(before.version !== undefined && { expect: before.version }) })
    if (!after) continue
    const kept = before && !replaced ? before : undefined
    if (after.kind === 'dir' && !kept) made.push({ do: 'mkdir', path })
    else if (after.kind === 'symlink' && !kept) made.push({ do: 'symlink', path, target: after.target ?? '' })
    else if (after.kind === 'file' && after.bytes && after.bytes !== kept?.bytes) {
      // What is there, and was never looked at, is replaced, as by a program that runs beside the files.
      const over = kept ? kept.version === undefined : unknown && !after.fresh
      const condition = kept?.version !== undefined ? { expect: kept.version } : over ? { over } : {}
      made.push({ do: 'write', path, bytes: after.bytes, ...condition })
    }
    const mode = kept ? (kept.mode ?? after.mode) : after.kind === 'dir' ? DIR_MODE : FILE_MODE
    if (after.kind !== 'symlink' && after.mode !== mode) made.push({ do: 'meta', path, mode: after.mode })
  }
  return [...removed, ...made]
}
