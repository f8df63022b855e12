import { stat } from 'node:fs/promises'
import { FsError } from '../../../src/errors/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { isWithin, joinPath, normalise, relativePath } from '../../../src/workspace/paths.js'
import { toFsError } from '../faults.js'

const VERB = 'run in'

/** A directory: its virtual path and its host path. */
export interface Place {
  readonly path: string
  readonly host: string
}

export interface Places {
  /** Resolves an input path to a directory. @throws {FsError} ENOENT, ENOTDIR; {WorkspaceError} */
  find(input: string): Promise<Place>
  /** Returns the virtual path of a host directory, or undefined if it has none. */
  pathOf(host: string): string | undefined
}

/**
 * Converts between virtual paths and host paths. If the virtual root equals the host path of the root, both kinds of paths are the same: a
 * shell may then end outside the root, and the next command may start there. Otherwise, directories outside the root have no virtual path.
 */
export function createPlaces(workspace: Workspace, hostPath: (path: string) => string): Places {
  const isOneSpace = (): boolean => workspace.root === hostPath('/')

  return {
    async find(input) {
      const outside = isOneSpace() ? outsidePath(input, workspace.root) : undefined
      if (outside !== undefined) return { path: outside, host: await directory(outside) }
      const { kind } = await workspace.stat(input, VERB)
      const path = await workspace.realpath(input)
      if (kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: VERB, path, detail: 'it is not a directory' })
      return { path, host: hostPath(joinPath('/', relativePath(path, workspace.root))) }
    },
    pathOf(host) {
      const root = hostPath('/')
      if (!isWithin(host, root)) return isOneSpace() ? host : undefined
      const below = relativePath(host, root)
      const path = below === '' ? workspace.root : joinPath(workspace.root, below)
      return isAccepted(workspace, path) ? path : undefined
    },
  }
}

function outsidePath(input: string, root: string): string | undefined {
  if (!input.startsWith('/') || input.includes('\0')) return undefined
  const path = normalise(input, () => new FsError({ code: 'ENOENT', op: VERB, path: input }))
  return isWithin(path, root) ? undefined : path
}

async function directory(path: string): Promise<string> {
  const found = await stat(path).catch((cause: unknown) => {
    throw toFsError(cause, VERB, path)
  })
  if (!found.isDirectory()) throw new FsError({ code: 'ENOTDIR', op: VERB, path, detail: 'it is not a directory' })
  return path
}

/** Whether the workspace accepts a path. A real shell can create names that the workspace rejects. */
function isAccepted(workspace: Workspace, path: string): boolean {
  try {
    return workspace.resolve(path) === path
  } catch {
    return false
  }
}
