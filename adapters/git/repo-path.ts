import type { Workspace } from '../../src/types/workspace.js'
import { isWithin, relativePath } from '../../src/workspace/paths.js'
import { inputError } from './faults.js'

/**
 * Converts user input to paths relative to the repository; `''` is the whole repository. Returns undefined if no paths were given.
 * @throws {InputError} outside the repository or in `.git`; {WorkspaceError}
 */
export function repoPaths(workspace: Workspace, dir: string, verb: string, paths: readonly string[] | undefined): string[] | undefined {
  return paths?.map((input) => {
    const path = workspace.resolve(input.startsWith('/') ? input : `${dir}/${input === '' ? '.' : input}`)
    if (!isWithin(path, dir)) throw inputError(verb, `"${input}" is outside the repository "${dir}"`)
    const inside = relativePath(path, dir)
    if (inside.split('/').some((name) => /^\.git$/i.test(name))) throw inputError(verb, `"${input}" belongs to git itself`)
    return inside
  })
}

/** Whether a path is one of the roots or below one of them. */
export const isBelow = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => root === '' || path === root || path.startsWith(`${root}/`))

/** Whether a walk must visit the path: it is a parent of a root, a root, or below a root. */
export const leadsTo = (path: string, roots: readonly string[]): boolean =>
  isBelow(path, roots) || roots.some((root) => root.startsWith(`${path}/`))
