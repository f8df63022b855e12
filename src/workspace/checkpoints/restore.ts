import { FsError } from '../../errors/index.js'
import type { Restored, RestoreOptions, TreeChange } from '../../types/checkpoint.js'
import { parsePath } from '../parse-path.js'
import { isWithin } from '../paths.js'
import type { View } from '../state.js'
import { applyChanges } from '../tree-changes/apply.js'
import { keep, momentOf, refuseReadOnly } from './access.js'
import type { Engine } from './engine.js'
import { Diff } from './tree-diff.js'
import { engineIn } from './virtual-engine.js'

/** @throws {InputError} `no_match`; {FsError} EROFS EACCES ENOSPC ENOENT */
export async function restoreCheckpoint(view: View, id: string, { paths }: RestoreOptions): Promise<Restored> {
  const { root } = view.tree.rules
  refuseReadOnly(view, 'restore')
  if (view.held.size > 0 && !view.held.has(root)) throw new Error(`Cannot restore "${id}": the root is not one of the locked paths`)
  const release = view.held.size > 0 ? undefined : await view.tree.locks.acquire([root])
  try {
    return await restoreLocked({ ...view, held: new Set([root]) }, id, paths)
  } finally {
    release?.()
  }
}

async function restoreLocked(view: View, id: string, paths: readonly string[] | undefined): Promise<Restored> {
  const { checkpointLimits, fs, host } = view.tree
  const checkpoints = await engineIn(view)
  await momentOf(view, id, false)
  const chosen = paths?.map((path) => parsePath(path, view.tree.rules).path)
  for (const path of chosen ?? []) await checkKnown(view, checkpoints, id, path)
  const diff = new Diff(view, { before: undefined, after: id }, await checkpoints.diff(undefined, id, host))
  const changes = chosen ? diff.changes.filter((change) => isChosen(change, chosen)) : diff.changes
  // Pass these paths to `keep`, because newer ignore rules may exclude paths that are about to change.
  const replaced = changes.filter(({ before }) => before).map(({ path }) => fs.toAdapter(path))
  // Trim only after the restore: with a small limit, trimming could drop the requested checkpoint.
  const checkpoint = await keep(view, { label: `before restoring ${id}`, reuse: true, scan: false }, replaced)
  const contents = {
    changes,
    read: (path: string) => checkpoints.read(id, fs.toAdapter(path)),
    readBefore: (path: string) => checkpoints.read(checkpoint.id, fs.toAdapter(path)),
  }
  const left = await applyChanges(view, contents, 'restore')
  await checkpoints.trim(checkpointLimits)
  return { checkpoint, changes: changes.filter(({ path }) => !left.includes(path)), left }
}

/** Whether a change belongs to a chosen path, or creates a missing parent directory of one. */
function isChosen({ path, before, after }: TreeChange, chosen: readonly string[]): boolean {
  const isNeeded = after?.kind === 'dir' && before?.kind !== 'dir'
  return chosen.some((one) => isWithin(path, one) || (isNeeded && isWithin(one, path)))
}

/** @throws {FsError} ENOENT */
async function checkKnown({ tree: { fs } }: View, checkpoints: Engine, id: string, path: string): Promise<void> {
  if (await checkpoints.stat(id, fs.toAdapter(path))) return
  try {
    await fs.lstat(path)
  } catch (error) {
    if (!FsError.is(error)) throw error
    throw new FsError({ code: 'ENOENT', op: 'restore', path, detail: `it is neither in the checkpoint ${id} nor in the workspace` })
  }
}
