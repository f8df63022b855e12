import { fitsWildcard } from '../../../src/ops/wildcard.js'
import { isWithin, relativePath } from '../../../src/workspace/paths.js'
import { isBelow } from '../repo-path.js'
import { fatal } from './fault.js'
import type { RepoSession } from './session.js'

/** `given`: a path as given. `path`: the same path relative to the repository; `''` is the whole repository. */
export interface Pathspec {
  readonly given: string
  readonly path: string
}

/** @throws {GitFault} for a path outside the repository */
export function pathspecs({ context, cwd, dir }: RepoSession, given: readonly string[]): Pathspec[] {
  return given.map((one) => {
    const path = context.fs.resolvePath(one.startsWith(':/') ? dir : cwd, one.replace(/^:\/|^:\(top\)/, '') || '.')
    if (!isWithin(path, dir)) throw fatal(`${one}: '${one}' is outside repository at '${dir}'`)
    return { given: one, path: relativePath(path, dir) }
  })
}

/** Whether a path matches. Stars and question marks also match slashes. */
export function fits({ path: spec }: Pathspec, path: string): boolean {
  return isBelow(path, [spec]) || (/[*?]/.test(spec) && fitsWildcard(spec, path, '?'))
}

export const fitsAny = (specs: readonly Pathspec[], path: string): boolean => specs.length === 0 || specs.some((spec) => fits(spec, path))

/** Returns a path relative to the working directory of the command. */
export function fromCwd({ cwd, dir }: RepoSession, path: string): string {
  const base = relativePath(cwd, dir)
  if (base === '') return path
  const [from, to] = [base.split('/'), path.split('/')]
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  const up = from.slice(same).map(() => '..')
  return [...up, ...to.slice(same)].join('/') || './'
}
