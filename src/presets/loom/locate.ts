import { WorkspaceError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'

/**
 * Resolves a path. As in the original agent, an empty path means the workspace itself. The workspace checks access.
 *
 * @throws {WorkspaceError} `path_outside_workspace` with the whole path, as the original agent reports it; `invalid_path`
 */
export function locate(workspace: Workspace, given: string): string {
  const path = given === '' ? '.' : given
  try {
    workspace.resolve(path)
    return path
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'path_outside_workspace') throw error
    throw new WorkspaceError('path_outside_workspace', absolute(path, workspace.cwd), error.message)
  }
}

/** Returns an absolute path for messages. `..` at the root stays at the root. */
function absolute(path: string, cwd: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
