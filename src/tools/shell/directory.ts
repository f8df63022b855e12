import { FsError, hasCode } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'
import type { ShellSession } from './session.js'

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

/** What a command gave, and what there is to say about where it ran. */
export interface Located<T> {
  readonly result: T
  readonly note?: string
}

/**
 * Runs a command in the directory that its input names, else in that of the session; at home, and with a note, where that is gone.
 * `run` rejects with ENOENT or ENOTDIR for a directory that is none, before it runs anything.
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
    return { result: await run(workspace.cwd), note: `"${cwd}" is not there any more: the command ran in "${workspace.cwd}"` }
  }
}
