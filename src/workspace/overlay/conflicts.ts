import { joinPath } from '../paths.js'
import type { OverlayChange } from './changes.js'
import type { Dir } from './nodes.js'
import { ABSENT, differs, modeIn } from './stamps.js'
import type { OverlayTree } from './tree.js'

/** A path that somebody else changed after the overlay did. */
export interface CommitConflict {
  /** Virtual path. */
  readonly path: string
  readonly reason: string
}

/**
 * Lists conflicts by adapter path. Compares the lower storage with its state at the time when the overlay first read, replaced or removed
 * each entry.
 */
export async function conflictsOf(tree: OverlayTree, changes: readonly OverlayChange[]): Promise<CommitConflict[]> {
  const conflicts: CommitConflict[] = []
  const changed = new Set<string>()
  for (const change of changes) {
    changed.add(change.path)
    const reason = await reasonOf(tree, change)
    if (reason !== undefined) conflicts.push({ path: change.path, reason })
  }
  for (const [path, origin] of comeFrom(tree)) {
    // If the origin still exists, its removal is one of the changes, and `reasonOf` has checked it.
    if (!changed.has(origin) && !(await tree.lower.find(origin))) {
      conflicts.push({ path, reason: 'it was removed from its old path meanwhile' })
    }
  }
  return conflicts
}

async function reasonOf(tree: OverlayTree, { path, after }: OverlayChange): Promise<string | undefined> {
  const stat = await tree.lower.find(path)
  // If both sides have created the same directory, or set its mode, there is no conflict.
  if (stat?.kind === 'dir' && after?.kind === 'dir') return undefined
  const expected = tree.stamps.get(path)
  // Moved entries are committed in their current state.
  if (expected === undefined && tree.stamps.isInMoved(path)) return undefined
  const reason = await differs(tree.lower, path, expected ?? ABSENT, stat)
  if (reason !== undefined || after === undefined) return reason
  const mode = modeIn(expected)
  return mode === undefined || stat?.mode === mode || stat?.mode === after.mode ? undefined : 'its mode was changed meanwhile'
}

/** Lists all moved entries: their paths in the overlay, with their paths in the lower storage. */
function comeFrom(tree: OverlayTree): Map<string, string> {
  const moved = new Map<string, string>()
  const visit = (dir: Dir, path: string): void => {
    for (const { name, node } of dir.children.values()) {
      const here = joinPath(path, name)
      const beside = dir.origin === undefined ? undefined : joinPath(dir.origin, name)
      const origin = node.kind === 'file' ? node.base : node.kind === 'moved' || node.kind === 'dir' ? node.origin : undefined
      if (origin !== undefined && origin !== here && (origin !== beside || node.kind === 'file')) moved.set(here, origin)
      if (node.kind === 'dir') visit(node, here)
    }
  }
  visit(tree.root, '/')
  return moved
}
