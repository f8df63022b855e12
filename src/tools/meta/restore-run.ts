import { FsError } from '../../errors/index.js'
import type { TreeChange } from '../../types/checkpoint.js'
import type { ToolContext } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { isWithin } from '../../workspace/paths.js'
import { forgetVersions } from '../files/versions.js'
import type { RestoreCheckpointOutput } from './outputs.js'
import { describeChange, diffText } from './shown-changes.js'

/** More are counted only. */
const MAX_CHANGES = 500

export interface RestoreInput {
  readonly checkpoint: string
  readonly paths?: readonly string[] | undefined
  readonly dry_run: boolean
}

/** The body of `restore_checkpoint`: nobody else writes between what it shows and what it does. */
export function runRestore(input: RestoreInput, context: ToolContext): Promise<RestoreCheckpointOutput> {
  return context.workspace.locked([context.workspace.root], (workspace) => restoreLocked(input, { ...context, workspace }))
}

async function restoreLocked({ checkpoint, paths, dry_run }: RestoreInput, context: ToolContext): Promise<RestoreCheckpointOutput> {
  const { workspace, versions } = context
  const found = await workspace.diff('now', checkpoint)
  const expected = paths ? await chosen(workspace, found.changes, paths) : found.changes
  context.signal.throwIfAborted()
  const diff = await diffText(context, expected.slice(0, MAX_CHANGES), (path, side) => found.read(path, side))
  // The last moment: what is begun is finished.
  context.signal.throwIfAborted()
  const restored = dry_run ? undefined : await workspace.restore(checkpoint, paths && { paths })
  const changes = restored?.changes ?? expected
  if (restored) for (const change of restored.changes) outdate(versions, change)
  return {
    checkpoint,
    ...(restored ? { undo: restored.checkpoint.id } : { dry_run: true }),
    changes: changes.slice(0, MAX_CHANGES).map(describeChange),
    total: changes.length,
    truncated: changes.length > MAX_CHANGES,
    ...(restored && restored.left.length > 0 && { left: restored.left.slice(0, MAX_CHANGES) }),
    diff,
  }
}

/** As `restore` chooses. @throws {FsError} ENOENT */
async function chosen(workspace: Workspace, changes: readonly TreeChange[], inputs: readonly string[]): Promise<readonly TreeChange[]> {
  const paths = inputs.map((input) => workspace.resolve(input))
  for (const path of paths) {
    if (changes.some((change) => isWithin(change.path, path)) || (await workspace.exists(path))) continue
    throw new FsError({ code: 'ENOENT', op: 'restore', path, detail: 'it is not there, and it was not at the checkpoint' })
  }
  return changes.filter(({ path, before, after }) => {
    const isNeeded = after?.kind === 'dir' && before?.kind !== 'dir'
    return paths.some((one) => isWithin(path, one) || (isNeeded && isWithin(one, path)))
  })
}

/** What was read before is not what is there now: an edit of it has to be refused, whatever version the storage gives. */
function outdate(versions: Map<string, string>, { path, after }: TreeChange): void {
  if (after?.kind !== 'file') forgetVersions(versions, path)
  else if (versions.has(path)) versions.set(path, 'restored')
}
