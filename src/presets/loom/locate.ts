import { WorkspaceError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'

/**
 * The path as it is to be used: an empty one is the workspace itself, as where the seed joins the two. Whether it may be used is for the
 * workspace to say.
 *
 * @throws {WorkspaceError} `path_outside_workspace` naming the whole path, as the seed does; `invalid_path`
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

/** For words only: `..` at the top stays there. */
function absolute(path: string, cwd: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
