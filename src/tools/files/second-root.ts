import type { Workspace } from '../../types/workspace.js'
import { isThere } from '../../workspace/is-there.js'

/** A note, where a write is about to make `/workspace/workspace`, which few mean. `paths` are absolute. */
export async function secondRoot(workspace: Workspace, paths: readonly string[]): Promise<{ readonly hint?: string }> {
  const { root } = workspace
  const second = root + root
  if (root === '/' || !paths.some((path) => path.startsWith(`${second}/`))) return {}
  // What may not be looked at is no reason to fail.
  if (await isThere(workspace, second).catch(() => true)) return {}
  return { hint: `"${second}" is a new folder, as the path repeats the root: leave out "${root.slice(1)}/" to write into "${root}"` }
}
