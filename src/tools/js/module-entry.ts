import { lazy } from '../../core/lazy.js'
import { FsError, hasCode, InputError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'

const modules = lazy(() => import('../../packages/modules/index.js'))

/** Matches the beginning of a path. Any other name may be a package. */
const PATH = /^\.{0,2}\//

/**
 * Returns the file to run for `module`: a path relative to `cwd`, else the program of an installed package (`pkg`, `pkg/bin`).
 *
 * @throws {WorkspaceError}, {FsError} EISDIR, ENOENT for a path; {InputError} for a name that is neither
 */
export async function entryOf(workspace: Workspace, module: string, cwd: string): Promise<string> {
  const path = PATH.test(module) ? module : undefined
  const kind = await kindOf(workspace, joined(cwd, module), path !== undefined)
  if (kind === 'file') return joined(cwd, module)
  if (path !== undefined) throw new FsError({ code: 'EISDIR', op: 'run', path: joined(cwd, module), detail: 'name a file in it' })
  const bin = await (await modules()).resolveBin(workspace, module, { cwd })
  if (bin !== undefined) return bin
  const message = `is not a file in "${cwd}", and no installed package has a program of this name`
  throw new InputError('invalid_input', `Cannot run "${module}": it ${message}`, { issues: [{ path: 'module', message }] })
}

const joined = (cwd: string, path: string): string => (path.startsWith('/') ? path : joinPath(cwd, path))

/** Returns the kind of an entry. Undefined if the path does not exist. */
async function kindOf(workspace: Workspace, path: string, needed: boolean): Promise<string | undefined> {
  try {
    return (await workspace.stat(workspace.resolve(path), 'run')).kind
  } catch (error) {
    if (needed || !hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    return undefined
  }
}
