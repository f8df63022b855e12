import { FsError } from '../../../src/errors/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { tableOf } from '../../../src/workspace/mounts/mounted-storages.js'
import { isWithin, joinPath, normalise } from '../../../src/workspace/paths.js'

const VERB = 'run in'

/** A directory, as the workspace and as the container calls it. */
export interface Place {
  readonly path: string
  /** Full path in the container. */
  readonly host: string
}

/**
 * The directory that an input path names. Outside of the workspace's root it is the container's own, as an earlier result gave it: whether
 * that is there is not known.
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

/** What the workspace calls a directory of the container; undefined: it has no name for it. `base`: full path of its folder. */
export function pathOf(workspace: Workspace, base: string, host: string): string | undefined {
  if (!isWithin(host, base)) return isWithin(host, workspace.root) ? undefined : host
  const path = host === base ? workspace.root : joinPath(workspace.root, host.slice(base === '/' ? 1 : base.length + 1))
  try {
    // A process can make names that the workspace refuses.
    return workspace.resolve(path) === path ? path : undefined
  } catch {
    return undefined
  }
}

/** `path` as the container's calls take it: from its working directory. Undefined for that itself. */
export function fromWorkdir(workdir: string, path: string): string | undefined {
  const [from, to] = [namesOf(workdir), namesOf(path)]
  let same = 0
  while (same < from.length && from[same] === to[same]) same++
  const names = [...from.slice(same).fill('..'), ...to.slice(same)]
  return names.length === 0 ? undefined : names.join('/')
}

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '')
