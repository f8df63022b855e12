import type { Workspace } from '../../types/workspace.js'
import { isThere } from '../../workspace/is-there.js'

/** Returns a note if a write is about to create `/workspace/workspace`, which is usually a mistake. `paths` are absolute. */
export async function secondRoot(workspace: Workspace, paths: readonly string[]): Promise<{ readonly hint?: string }> {
  const { root } = workspace
  const second = root + root
  if (root === '/' || !paths.some((path) => path.startsWith(`${second}/`))) return {}
  // Do not fail because of a forbidden path.
  if (await isThere(workspace, second).catch(() => true)) return {}
  return { hint: `The path repeats the root, which creates the folder "${second}": omit "${root.slice(1)}/" to write into "${root}"` }
}
