import { hasCode } from '../../src/errors/index.js'
import type { Workspace } from '../../src/types/workspace.js'
import { joinPath, parentPath } from '../../src/workspace/paths.js'

/** Removes the directories that are empty now that these paths (relative to `dir`) are gone: git knows none that are empty. */
export async function pruneParents(workspace: Workspace, dir: string, paths: readonly string[]): Promise<void> {
  const parents = new Set<string>()
  for (const path of paths) {
    for (let at = parentPath(joinPath(dir, path)); at !== dir && at.length > dir.length; at = parentPath(at)) parents.add(at)
  }
  for (const parent of [...parents].sort((a, b) => b.length - a.length)) {
    try {
      // A link may have taken the directory's place: it is not git's.
      if ((await workspace.lstat(parent)).kind === 'dir') await workspace.remove(parent)
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'ENOENT', 'ENOTDIR')) throw error
    }
  }
}
