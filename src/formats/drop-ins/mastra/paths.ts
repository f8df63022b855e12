import type { Workspace } from '../../../types/workspace.js'
import { isWithin, relativePath } from '../../../workspace/paths.js'

/**
 * The paths that Mastra uses: relative to the cwd of the workspace, and absolute outside the cwd. Each file has exactly one path, because
 * `requireApproval` and the locks of Mastra compare paths as text: a second path would bypass them.
 */
export interface Paths {
  /** Checks a path. @throws WorkspaceError for an invalid path; the error of `refuse` for an alias of the file's path */
  exact(path: string): string
  /** Checks the path of a tool of Mastra that reads. Also accepts `''` and `./` for the cwd. @throws as `exact` */
  exactOrCwd(path: string): string
  /** Checks a path to read. Mastra's `grep` and `skills: ['./skills']` begin such a path with `./`. @throws as `exact` */
  readable(path: string): string
  /** Converts an absolute path. */
  outer(path: string): string
}

export function pathsOf(workspace: Workspace, refuse: (path: string, use: string) => Error): Paths {
  const { cwd } = workspace
  const outer = (path: string): string => (isWithin(path, cwd) ? relativePath(path, cwd) || '.' : path)
  const exact = (path: string): string => {
    const only = outer(workspace.resolve(path))
    if (path !== only) throw refuse(path, only)
    return only
  }
  const exactOrCwd = (path: string): string => exact(path === '' || path === './' ? '.' : path)
  return { exact, exactOrCwd, readable: (path) => exactOrCwd(path.replace(/^\.\/(?=[^/])/, '')), outer }
}
