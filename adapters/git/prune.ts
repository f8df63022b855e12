import { hasCode } from '../../src/errors/index.js'
import type { Workspace } from '../../src/types/workspace.js'
import { joinPath, parentPath } from '../../src/workspace/paths.js'

/** Removes the empty parent directories of removed paths (relative to `dir`), because git does not track empty directories. */
export async function pruneParents(workspace: Workspace, dir: string, paths: readonly string[]): Promise<void> {
  const parents = new Set<string>()
  for (const path of paths) {
    for (let at = parentPath(joinPath(dir, path)); at !== dir && at.length > dir.length; at = parentPath(at)) parents.add(at)
  }
  for (const parent of [...parents].sort((a, b) => b.length - a.length)) {
    try {
      // A symlink may have replaced the directory. It does not belong to git, so keep it.
      if ((await workspace.lstat(parent)).kind === 'dir') await workspace.remove(parent)
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'ENOENT', 'ENOTDIR')) throw error
    }
  }
}
