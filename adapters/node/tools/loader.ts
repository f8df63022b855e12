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
 * this program: they are bound by nothing, neither by the workspace, its rules and its quotas, nor by grants, time or memory. They read its
 * secrets, and one that loops or ends the process does so with all of it. A call is answered at its deadline, while its code goes on.
 *
 * Files are ES modules and CommonJS as Node has them, and TypeScript through the optional package `sucrase`. A file is loaded anew each
 * time; what it imports stays as it was first loaded, but for TypeScript in TypeScript. Every version that was loaded stays in memory.
 *
 * @throws {UnsupportedError} (the function that it gives) for storage that is no directory of this machine
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

/** Where it really is on this machine. @throws {FsError}, {WorkspaceError} */
async function fileAt(workspace: Workspace, hostPath: (path: string) => string, path: string): Promise<string> {
  const { kind } = await workspace.stat(path, VERB)
  const resolved = await workspace.realpath(path)
  if (kind === 'dir') throw new FsError({ code: 'EISDIR', op: VERB, path: resolved, detail: 'name a file in it' })
  const host = hostPath(joinPath('/', relativePath(resolved, workspace.root)))
  const real = realName(host, resolved)
  // The workspace has followed every link: one that is left was put there since.
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
  // An address that was not imported before is read anew; CommonJS is kept by its path.
  delete createRequire(file).cache[file]
  return import(/* @vite-ignore */ `${pathToFileURL(file).href}?toolport=${randomUUID()}`)
}
