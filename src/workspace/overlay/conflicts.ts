import { joinPath } from '../paths.js'
import type { OverlayChange } from './changes.js'
import type { Dir } from './nodes.js'
import { ABSENT, differs, modeIn } from './stamps.js'
import type { OverlayTree } from './tree.js'

/** One path that somebody else has changed since it was changed here. */
export interface CommitConflict {
  /** Virtual path. */
  readonly path: string
  readonly reason: string
}

/** By adapter path. What the lower storage has now is compared with what it had when it was read, replaced or removed here. */
export async function conflictsOf(tree: OverlayTree, changes: readonly OverlayChange[]): Promise<CommitConflict[]> {
  const conflicts: CommitConflict[] = []
  const changed = new Set<string>()
  for (const change of changes) {
    changed.add(change.path)
    const reason = await reasonOf(tree, change)
    if (reason !== undefined) conflicts.push({ path: change.path, reason })
  }
  for (const [path, origin] of comeFrom(tree)) {
    // One that is there still, and goes, is among the changes.
    if (!changed.has(origin) && !(await tree.lower.find(origin))) {
      conflicts.push({ path, reason: 'where it was before, it was removed meanwhile' })
    }
  }
  return conflicts
}

async function reasonOf(tree: OverlayTree, { path, after }: OverlayChange): Promise<string | undefined> {
  const stat = await tree.lower.find(path)
  // Two that make one directory, or set its mode, do not get in each other's way.
  if (stat?.kind === 'dir' && after?.kind === 'dir') return undefined
  const expected = tree.stamps.get(path)
  // What was moved goes as it is now.
  if (expected === undefined && tree.stamps.isInMoved(path)) return undefined
  const reason = await differs(tree.lower, path, expected ?? ABSENT, stat)
  if (reason !== undefined || after === undefined) return reason
  const mode = modeIn(expected)
  return mode === undefined || stat?.mode === mode || stat?.mode === after.mode ? undefined : 'its mode was changed meanwhile'
}

/** Everything that was moved here: path -> where it is in the lower storage. */
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
