import { FsError } from '../../../src/errors/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { tableOf } from '../../../src/workspace/mounts/mounted-storages.js'
import { isWithin, joinPath, normalise } from '../../../src/workspace/paths.js'

const VERB = 'run in'

/** A directory: its virtual path and its path in the container. */
export interface Place {
  readonly path: string
  /** Full path in the container. */
  readonly host: string
}

/**
 * Resolves an input path to a directory. A path outside the workspace's root counts as a path in the container, which an earlier result
 * contained. The function does not check that such a path exists.
 *
 * @throws {FsError} ENOENT, ENOTDIR; ENOTSUP in a mount; {WorkspaceError}
 */
export async function findPlace(workspace: Workspace, base: string, input: string): Promise<Place> {
  const own = ownPath(workspace, base, input)
  if (own !== undefined) return { path: own, host: own }
  const { kind } = await workspace.stat(input, VERB)
  const path = await workspace.realpath(input)
  if (kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: VERB, path, detail: 'it is not a directory' })
  const below = workspace.relative(path)
  const mount = tableOf(workspace.fs)?.place(`/${below}`).mount
  if (mount && mount.at !== '/') {
    throw new FsError({ code: 'ENOTSUP', op: VERB, path, detail: 'it is in another storage than the container, where its shell cannot go' })
  }
  return { path, host: below === '' ? base : joinPath(base, below) }
}

function ownPath(workspace: Workspace, base: string, input: string): string | undefined {
  if (!input.startsWith('/') || input.includes('\0')) return undefined
  const path = normalise(input, () => new FsError({ code: 'ENOENT', op: VERB, path: input }))
  return isWithin(path, workspace.root) || isWithin(path, base) ? undefined : path
}

/**
 * Returns the virtual path of a directory of the container, or undefined if the directory has none. `base`: full path of the workspace's
 * folder.
 */
export function pathOf(workspace: Workspace, base: string, host: string): string | undefined {
  if (!isWithin(host, base)) return isWithin(host, workspace.root) ? undefined : host
  const path = host === base ? workspace.root : joinPath(workspace.root, host.slice(base === '/' ? 1 : base.length + 1))
  try {
    // A process can create names that a workspace path cannot contain.
    return workspace.resolve(path) === path ? path : undefined
  } catch {
    return undefined
  }
}

/** Returns `path` relative to the container's working directory, or undefined if `path` is the working directory itself. */
export function fromWorkdir(workdir: string, path: string): string | undefined {
  const [from, to] = [namesOf(workdir), namesOf(path)]
  let same = 0
  while (same < from.length && from[same] === to[same]) same++
  const names = [...from.slice(same).fill('..'), ...to.slice(same)]
  return names.length === 0 ? undefined : names.join('/')
}

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '')
