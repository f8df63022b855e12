import type { ToolContext } from '../../types/tool.js'
import type { Moved } from '../../types/workspace.js'
import { followMove, forgetVersions } from './versions.js'

/** The body of `move_file`. */
export function runMove(
  { from, to, overwrite }: { readonly from: string; readonly to: string; readonly overwrite: boolean },
  { workspace, versions, signal }: ToolContext,
): Promise<Moved> {
  return workspace.locked([from, to], (locked) =>
    followMove(locked, versions, from, () => locked.move(from, to, { overwrite, signal, distinct: true })),
  )
}

/** The body of `delete_file`. */
export async function runDelete(
  { path, recursive }: { readonly path: string; readonly recursive: boolean },
  { workspace, versions }: ToolContext,
): Promise<{ readonly path: string; readonly kind: string }> {
  const removed = await workspace.remove(path, { recursive })
  forgetVersions(versions, removed.path)
  return { path: removed.path, kind: removed.kind }
}
