import { hasCode } from '../../errors/index.js'
import type { TreeChange } from '../../types/checkpoint.js'
import type { Workspace, WorkspaceScope } from '../../types/workspace.js'
import { viewOf } from '../create-workspace.js'
import { linkTarget } from '../links.js'
import { checkLinkTarget, parentPath } from '../paths.js'
import { applyChanges } from '../tree-changes/apply.js'
import type { VirtualFs } from '../virtual-fs.js'
import { changesOf, imageChange, type OverlayChange, readSide, topsOf } from './changes.js'
import { type CommitConflict, conflictsOf } from './conflicts.js'
import type { OverlayTree } from './tree.js'

/** With more the whole tree is locked. */
const MAX_LOCKS = 256
const OP = 'commit'

export interface CommitOptions extends WorkspaceScope {
  /** Counts until the first change is made. */
  readonly signal?: AbortSignal
}

export interface Committed {
  /** What was done, by virtual path; empty when there is a conflict. */
  readonly applied: readonly TreeChange[]
  readonly conflicts: readonly CommitConflict[]
}

/** @throws {TypeError} for a workspace on another storage; what `applyChanges` throws. Then the overlay is as it was. */
export async function commit(tree: OverlayTree, workspace: Workspace, { signal, approve }: CommitOptions): Promise<Committed> {
  if (workspace.fs !== tree.lower.adapter) {
    throw new TypeError('Cannot commit: the workspace is not on the storage that the overlay lies over')
  }
  const { fs } = viewOf(workspace).tree
  const tops = topsOf(tree).map((path) => fs.toVirtual(path))
  if (tops.length === 0) return { applied: [], conflicts: [] }
  const scoped = approve ? workspace.scope({ approve }) : workspace
  let begun = false
  const body = (locked: Workspace): Promise<Committed> => {
    begun = true
    return commitLocked(tree, locked, signal)
  }
  try {
    return await scoped.locked(tops.length > MAX_LOCKS ? [workspace.root] : tops, body)
  } catch (error) {
    // What is above a path is no directory any more: a conflict, which shows once all of it is locked.
    if (begun || !hasCode(error, 'ENOTDIR', 'ELOOP')) throw error
    return scoped.locked([workspace.root], body)
  }
}

async function commitLocked(tree: OverlayTree, workspace: Workspace, signal: AbortSignal | undefined): Promise<Committed> {
  const view = viewOf(workspace)
  const { fs } = view.tree
  const changes = await changesOf(tree)
  const conflicts = await conflictsOf(tree, changes)
  if (conflicts.length > 0) {
    return { applied: [], conflicts: conflicts.map(({ path, reason }) => ({ path: fs.toVirtual(path), reason })) }
  }
  for (const change of changes) checkLink(fs, change)
  const kept = await keepOverwritten(tree, fs, changes)
  const virtual = changes.map((change) => ({ ...imageChange(change), path: fs.toVirtual(change.path) }))
  const sides = new Map(changes.map(({ path, after }) => [fs.toVirtual(path), after]))
  const read = async (path: string): Promise<Uint8Array> => kept.get(path) ?? readSide(tree, path, sides.get(path))
  await applyChanges(view, { changes: virtual, read }, OP, signal && { signal })
  // What the overlay shows is the same as before: its checkpoints still hold.
  tree.reset({ keepsOwn: true })
  return { applied: virtual, conflicts: [] }
}

/** Contents of moved files that would be gone, or others, by the time they are put where they belong; by virtual path. */
async function keepOverwritten(tree: OverlayTree, fs: VirtualFs, changes: readonly OverlayChange[]): Promise<Map<string, Uint8Array>> {
  const { caseSensitive } = fs.adapter.can
  /** What is changed or removed before anything is put; a directory before what is in it. */
  const early = new Set<string>()
  for (const { path, before, after } of changes) {
    const goes = before && (after ? before.kind !== 'dir' || after.kind !== 'dir' : !caseSensitive || early.has(parentPath(path)))
    if (goes) early.add(path)
  }
  const contents = new Map<string, Uint8Array>()
  for (const { path, after } of changes) {
    if (after?.origin !== undefined && early.has(after.origin)) contents.set(fs.toVirtual(path), await readSide(tree, path, after))
  }
  return contents
}

/** @throws {WorkspaceError} `symlink_escape`, `invalid_path`: as when it is made in the workspace */
function checkLink(fs: VirtualFs, { path, after }: OverlayChange): void {
  if (after?.target === undefined) return
  checkLinkTarget(after.target)
  linkTarget(fs, fs.toVirtual(path), after.target)
}
