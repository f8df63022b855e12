import { FsError, hasCode } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'
import type { ShellSession } from './session.js'

/**
 * Resolves the `cwd` of a call relative to the session's directory.
 *
 * @throws WorkspaceError, FsError ENOENT, ENOTDIR, EACCES
 */
export async function directoryOf(workspace: Workspace, input: string, session: string | undefined): Promise<string> {
  // The model may pass the directory of an earlier result, which may be a path of the shell (`/tmp`) that the workspace does not know.
  if (input === session) return session
  const relative = session !== undefined && input !== '' && !input.startsWith('/')
  const path = workspace.resolve(relative ? joinPath(session, input) : input)
  const { kind } = await workspace.stat(path, 'run in')
  if (kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: 'run in', path, detail: 'it is not a directory' })
  return path
}

/** The result of a command, and a note about its directory. */
export interface Located<T> {
  readonly result: T
  readonly note?: string
}

/**
 * Runs a command in the directory of its input, else in the session's directory. If the session's directory is gone, runs the command in
 * the home directory with a note. `run` rejects with ENOENT or ENOTDIR for an invalid directory, before it runs anything.
 *
 * @throws as `directoryOf` and `run`
 */
export async function runInDirectory<T>(
  workspace: Workspace,
  input: string | undefined,
  session: ShellSession,
  run: (cwd: string) => Promise<T>,
): Promise<Located<T>> {
  if (input !== undefined) return { result: await run(await directoryOf(workspace, input, session.cwd)) }
  const cwd = session.cwd ?? workspace.cwd
  try {
    return { result: await run(cwd) }
  } catch (error) {
    if (cwd === workspace.cwd || !hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    return { result: await run(workspace.cwd), note: `"${cwd}" no longer exists: the command ran in "${workspace.cwd}"` }
  }
}
