import { FsError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'

/**
 * The directory that the `cwd` of a call names, seen from where its session is.
 *
 * @throws WorkspaceError, FsError ENOENT, ENOTDIR, EACCES
 */
export async function directoryOf(workspace: Workspace, input: string, session: string | undefined): Promise<string> {
  // As an earlier result gave it: maybe a place of the shell's own (`/tmp`), which the workspace knows nothing of.
  if (input === session) return session
  const relative = session !== undefined && input !== '' && !input.startsWith('/')
  const path = workspace.resolve(relative ? joinPath(session, input) : input)
  const { kind } = await workspace.stat(path, 'run in')
  if (kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: 'run in', path, detail: 'it is not a directory' })
  return path
}
