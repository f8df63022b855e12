import type { ToolContext } from '../../types/tool.js'
import type { Moved } from '../../types/workspace.js'
import { secondRoot } from './second-root.js'
import { checkUnchanged, followMove, forgetVersions } from './versions.js'

/** The body of `move_file`. */
export function runMove(
  { from, to, overwrite }: { readonly from: string; readonly to: string; readonly overwrite: boolean },
  { workspace, versions, signal }: ToolContext,
): Promise<Moved & { readonly hint?: string }> {
  return workspace.locked([from, to], async (locked) => {
    if (overwrite) await checkUnchanged(locked, versions, to, 'replace')
    const target = locked.resolve(to)
    const hint = await secondRoot(locked, [`${target}/`])
    const move = (): Promise<Moved> => locked.move(from, to, { overwrite, ifWritable: true, signal, distinct: true })
    const moved = await followMove(locked, versions, from, move)
    return moved.kind !== 'dir' && target === locked.root + locked.root ? moved : { ...moved, ...hint }
  })
}

/** The body of `delete_file`. */
export async function runDelete(
  { path, recursive }: { readonly path: string; readonly recursive: boolean },
  { workspace, versions }: ToolContext,
): Promise<{ readonly path: string; readonly kind: string }> {
  return workspace.locked([path], async (locked) => {
    await checkUnchanged(locked, versions, path, 'delete')
    const removed = await locked.remove(path, { recursive })
    forgetVersions(versions, removed.path)
    return { path: removed.path, kind: removed.kind }
  })
}
