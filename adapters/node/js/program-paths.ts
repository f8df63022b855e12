import { FsError } from '../../../src/errors/index.js'
import type { JsProgram } from '../../../src/types/js.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { isWithin, joinPath, normalise, relativePath } from '../../../src/workspace/paths.js'
import { createPlaces } from '../shell/cwd.js'
import type { Task } from './child/task.js'

const VERB = 'run'

/** A program as Node is given it. Paths are the machine's. */
export interface Placed {
  readonly cwd: string
  /** As `process.argv` has it. */
  readonly script: string
  readonly task: Pick<Task, 'main' | 'source'>
}

export type Place = (program: JsProgram) => Promise<Placed>

/** Where programs run. The function rejects with {FsError} or {WorkspaceError} for a `cwd` or an `entry` that is none. */
export function createPlacer(workspace: Workspace, hostPath: (path: string) => string): Place {
  const places = createPlaces(workspace, hostPath)
  const toHost = (path: string): string => hostPath(joinPath('/', relativePath(path, workspace.root)))

  async function fileAt(path: string): Promise<{ readonly script: string; readonly task: Placed['task'] }> {
    const { kind } = await workspace.stat(path, VERB)
    if (kind === 'dir') throw new FsError({ code: 'EISDIR', op: VERB, path: workspace.resolve(path), detail: 'name a file in it' })
    return { script: toHost(workspace.resolve(path)), task: { main: toHost(await workspace.realpath(path)) } }
  }

  return async ({ code, entry, filename, format, cwd = workspace.cwd }) => {
    const { path: base, host } = await places.find(cwd)
    const absolute = (path: string): string => (path.startsWith('/') ? path : joinPath(base, path))
    if (entry !== undefined) return { cwd: host, ...(await fileAt(absolute(entry))) }
    const path = absolute(filename ?? (format === 'commonjs' ? '[eval].cjs' : '[eval].mjs'))
    const named = normalise(path, () => new FsError({ code: 'ENOENT', op: VERB, path }))
    // Nothing is read or written there: a name beside the directory that it runs in is as good as the directory.
    const main = isWithin(named, base) ? joinPath(host, relativePath(named, base)) : toHost(workspace.resolve(named))
    return { cwd: host, script: main, task: { main, source: { code: code ?? '', format: formatOf(main, format) } } }
  }
}

function formatOf(path: string, given: JsProgram['format'] = 'module'): 'module' | 'commonjs' {
  if (/\.m[jt]s$/.test(path)) return 'module'
  return /\.c[jt]s$/.test(path) ? 'commonjs' : given
}
