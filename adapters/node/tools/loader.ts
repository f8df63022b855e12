import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { FsError, UnsupportedError, WorkspaceError } from '../../../src/errors/index.js'
import type { TrustedToolLoader, TrustedTools } from '../../../src/types/trusted-tools.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { isWithin, joinPath, relativePath } from '../../../src/workspace/paths.js'
import { toFsError } from '../faults.js'

const VERB = 'load'
type Exports = Readonly<Record<string, unknown>>

/**
 * Loads custom tools into this process, for `loadCustomTools(runtime, { trusted })` and `customTools({ trusted })`. Such tools are part of
 * this program: the workspace, path rules, quotas, grants, and time and memory limits do not restrict them. They can read the secrets of
 * the process. A tool that loops blocks the whole process, and a tool that exits ends it. A call is answered at its deadline, while its
 * code keeps running.
 *
 * Files are ES modules or CommonJS, or TypeScript with the optional package `sucrase`. The loader reads a file anew each time. Its imports
 * stay cached, except TypeScript files imported by TypeScript. Every loaded version stays in memory.
 *
 * The returned function throws {UnsupportedError} for a storage that is not a directory of this machine.
 */
export function createNodeToolLoader(): TrustedTools {
  return (workspace) => {
    const { fs } = workspace
    if (fs.hostPath === undefined) {
      const message = `Cannot load tools into this process: the storage "${fs.name}" is no directory of this machine. Leave out "trusted" to load them in a sandbox`
      throw new UnsupportedError('trusted tools', message, fs.name)
    }
    return { name: 'node', load: (path) => load(workspace, (at) => fs.hostPath?.(at) ?? at, path) } satisfies TrustedToolLoader
  }
}

async function load(workspace: Workspace, hostPath: (path: string) => string, path: string): Promise<Exports> {
  return loadFile(await fileAt(workspace, hostPath, path))
}

/** Returns the real host path of the file. @throws {FsError}, {WorkspaceError} */
async function fileAt(workspace: Workspace, hostPath: (path: string) => string, path: string): Promise<string> {
  const { kind } = await workspace.stat(path, VERB)
  const resolved = await workspace.realpath(path)
  if (kind === 'dir') throw new FsError({ code: 'EISDIR', op: VERB, path: resolved, detail: 'name a file in it' })
  const host = hostPath(joinPath('/', relativePath(resolved, workspace.root)))
  const real = realName(host, resolved)
  // The workspace has resolved every symlink, so a remaining symlink was created in the meantime.
  if (real !== host && !isWithin(real, realName(hostPath('/'), workspace.root))) {
    throw new WorkspaceError('symlink_escape', resolved, `Cannot load "${resolved}": a link leads out of the workspace`)
  }
  return real
}

function realName(host: string, path: string): string {
  try {
    return realpathSync(host)
  } catch (cause) {
    throw toFsError(cause, VERB, path)
  }
}

async function loadFile(file: string): Promise<Exports> {
  if (/\.[cm]?ts$/i.test(file)) {
    const { loadTypeScript } = await import('./typescript.js')
    return loadTypeScript(file)
  }
  // A new URL bypasses the cache of ES modules. CommonJS is cached by path, so delete the entry.
  delete createRequire(file).cache[file]
  return import(/* @vite-ignore */ `${pathToFileURL(file).href}?toolport=${randomUUID()}`)
}
