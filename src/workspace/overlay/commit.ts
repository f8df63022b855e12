import { FsError, hasCode } from '../../errors/index.js'
import type { TreeChange } from '../../types/checkpoint.js'
import type { Workspace, WorkspaceScope } from '../../types/workspace.js'
import { checkLinkTarget } from '../parse-path.js'
import { isWithin, parentPath } from '../paths.js'
import { linkTarget } from '../resolve-links.js'
import { viewOf } from '../state.js'
import { applyChanges } from '../tree-changes/apply.js'
import type { VirtualFs } from '../virtual-fs.js'
import type { ChangeQueue } from './change-queue.js'
import { changesOf, imageChange, type OverlayChange, readSide, topsOf } from './changes.js'
import { type CommitConflict, conflictsOf } from './conflicts.js'
import { stampOf } from './stamps.js'
import type { OverlayTree } from './tree.js'

/** Maximum number of paths to lock one by one. If more paths changed, the commit locks the whole tree. */
const MAX_LOCKS = 256
const OP = 'commit'

export interface CommitOptions extends WorkspaceScope {
  /** An abort has no effect after the first change. */
  readonly signal?: AbortSignal
}

/** The result of a commit. */
export interface Committed {
  /** The applied changes, by virtual path; empty if there is a conflict. */
  readonly applied: readonly TreeChange[]
  readonly conflicts: readonly CommitConflict[]
  /** Directories that remain because they contain something that the overlay does not show. */
  readonly left: readonly string[]
}

/**
 * Applies the overlay's changes to the workspace. Locks the workspace first, and then blocks reads of the overlay. In the other order, a
 * holder of a workspace lock could wait for the overlay while the commit waits for the lock.
 *
 * @throws {TypeError} for a workspace on another storage; errors of `applyChanges`. Then the overlay is unchanged.
 */
export async function commit(
  tree: OverlayTree,
  queue: ChangeQueue,
  workspace: Workspace,
  { signal, approve }: CommitOptions,
): Promise<Committed> {
  if (workspace.fs !== tree.lower.adapter) {
    throw new TypeError('Cannot commit: the workspace does not use the lower storage of the overlay')
  }
  const scoped = approve ? workspace.scope({ approve }) : workspace
  const tops = await queue.look(() => topsOf(tree))
  const { fs } = viewOf(workspace).tree
  let begun = false
  const commitWithin = (locked: readonly string[]): Promise<Committed | undefined> =>
    scoped.locked(
      locked.map((path) => fs.toVirtual(path)),
      (held) =>
        queue.alone(async () => {
          const now = topsOf(tree)
          // The overlay has changed further paths meanwhile, which are not locked.
          if (!now.every((path) => locked.some((one) => isWithin(path, one)))) return undefined
          begun = true
          return now.length === 0 ? { applied: [], conflicts: [], left: [] } : commitLocked(tree, held, signal)
        }),
    )
  const everything = ['/']
  try {
    const done = tops.length > MAX_LOCKS ? undefined : await commitWithin(tops)
    if (done) return done
  } catch (error) {
    // A parent is no longer a directory. That is a conflict, which the commit finds once the whole tree is locked.
    if (begun || !hasCode(error, 'ENOTDIR', 'ELOOP')) throw error
  }
  return (await commitWithin(everything)) as Committed
}

async function commitLocked(tree: OverlayTree, workspace: Workspace, signal: AbortSignal | undefined): Promise<Committed> {
  const view = viewOf(workspace)
  const { fs } = view.tree
  const changes = await changesOf(tree)
  const conflicts = await conflictsOf(tree, changes)
  if (conflicts.length > 0) {
    return { applied: [], conflicts: conflicts.map(({ path, reason }) => ({ path: fs.toVirtual(path), reason })), left: [] }
  }
  for (const change of changes) checkLink(fs, change)
  const kept = await keepOverwritten(tree, fs, changes)
  const virtual = changes.map((change) => ({ ...imageChange(change), path: fs.toVirtual(change.path) }))
  const sides = new Map(changes.map(({ path, after }) => [fs.toVirtual(path), after]))
  const read = async (path: string): Promise<Uint8Array> => kept.get(path) ?? readSide(tree, path, sides.get(path))
  const undone = new Set<string>()
  let left: readonly string[]
  try {
    left = await applyChanges(view, { changes: virtual, read }, OP, { ...(signal && { signal }), onUndone: (path) => undone.add(path) })
  } catch (error) {
    // If undoing failed for some paths, their state is unknown: keep all stamps, so that a retry reports a conflict.
    if (!FsError.is(error) || error.op !== `undo (${OP})`) await renewStamps(tree, fs, undone)
    throw error
  }
  // The overlay shows the same tree as before, so its checkpoints stay valid.
  tree.reset({ keepsOwn: true })
  return { applied: virtual.filter(({ path }) => !left.includes(path)), conflicts: [], left }
}

/** Records the new versions of restored entries, so that a retry does not report a conflict. */
async function renewStamps({ lower, stamps }: OverlayTree, fs: VirtualFs, undone: ReadonlySet<string>): Promise<void> {
  for (const path of undone) {
    const inner = fs.toAdapter(path)
    try {
      const stat = await lower.find(inner)
      if (stat) stamps.renew(inner, await stampOf(lower, inner, stat))
    } catch {
      // Ignored: the commit reports its own error.
    }
  }
}

/**
 * Reads the contents of moved files whose origin is removed or replaced before the file is written to its destination. Returns them by
 * virtual path.
 */
async function keepOverwritten(tree: OverlayTree, fs: VirtualFs, changes: readonly OverlayChange[]): Promise<Map<string, Uint8Array>> {
  const { caseSensitive } = fs.adapter.can
  /** Paths that are changed or removed before anything is written. A directory comes before its content. */
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

/** @throws {WorkspaceError} `symlink_escape`, `invalid_path`: the checks for creating a link in the workspace */
function checkLink(fs: VirtualFs, { path, after }: OverlayChange): void {
  if (after?.target === undefined) return
  checkLinkTarget(after.target)
  linkTarget(fs, fs.toVirtual(path), after.target, 'make')
}
