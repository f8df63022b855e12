import type { FileKind } from '../types/fs.js'
import type { WalkFilter } from '../types/workspace.js'
import { type GlobBase, namesOf, parseGlobs } from './glob-parse.js'
import { createGlobStates, type GlobState, NOTHING } from './glob-states.js'
import { finish, type Steps } from './steps.js'

export interface GlobOptions {
  /** The kind of entries to match; default `any`. */
  readonly kind?: FileKind | 'any'
  /**
   * Whether wildcards match names that begin with a dot. Default true. If false, only a glob that contains the dot matches such a name,
   * component by component (`.github/**` matches `.github/a`, not `.github/.b`). Exclusions match names with and without a leading dot.
   */
  readonly dots?: boolean
  /** The start of the walk and its root, as absolute paths. Allows absolute globs. */
  readonly base?: GlobBase
  /** A glob without a slash matches names at any depth, as in ripgrep. Default false. */
  readonly anyDepth?: boolean
}

/**
 * Matches whole paths. As the filter of a walk, a matcher decides name by name, and never enters a directory in which nothing can match.
 */
export interface GlobMatcher extends WalkFilter<GlobState> {
  /** Tests a path relative to the start, with `/` between components. A trailing `/` marks a directory. */
  matches(path: string): boolean
}

const EVERYTHING = '**'
/** Approximate number of characters of globs that a name can be tested against in one microsecond. */
const UNITS_A_MICROSECOND = 16

/**
 * Compiles one or several globs; a path matches if any glob matches.
 *
 * `*` and `?` match within a name, `[a-z]`, `[!x]` and `[[:alpha:]]` match one character, and `**` as a whole component matches any number
 * of directories. `{a,b}` and `{1..3}` are alternatives. `?(a|b) *(a) +(a) @(a|b) !(a)` are repetitions and exclusions within a name. A
 * backslash escapes the next character. A glob is anchored at the start of the walk: `*.ts` matches only there, `**\/*.ts` at any depth. A
 * trailing slash matches only directories. A glob that begins with `!` excludes its matches and everything below them, at any position in
 * the list; if there are only exclusions, everything else matches. Matching is case-sensitive. A component, or a class in it, also matches
 * its literal text: `app/[id]/*.ts`, `file[1].txt`.
 *
 * @throws InputError `invalid_input` for a glob that is empty, too long, contains `..` or a NUL, or expands to more than 1,000 globs; and
 * for one that cannot match its apparent meaning: unclosed braces, a path outside, an exclusion with backslashes between directories.
 */
export function compileGlob(pattern: string | readonly string[], options: GlobOptions = {}): GlobMatcher {
  return finish(compileGlobSteps(pattern, options))
}

/** Runs `compileGlob` in steps. */
export function* compileGlobSteps(pattern: string | readonly string[], options: GlobOptions = {}): Steps<GlobMatcher> {
  const { dots = true, base, anyDepth } = options
  const paths = yield* parseGlobs(pattern, { dots, base, anyDepth })
  const all = paths.every(({ exclude }) => exclude) ? [...(yield* parseGlobs(EVERYTHING, { dots, base })), ...paths] : paths
  const { start: top, enter } = createGlobStates(all, dots)
  // The caller named the start directory explicitly, so leading dots in its path do not matter.
  const start = namesOf(base?.start ?? '').reduce((state, name) => enter(state, name, true) ?? NOTHING, top)
  const wanted = options.kind === 'any' ? undefined : options.kind

  const accept = (state: GlobState, name: string, kind: FileKind): boolean => {
    if (wanted !== undefined && kind !== wanted) return false
    const isDir = kind === 'dir'
    if (!(state.accepts?.(name) || (isDir && state.acceptsDir?.(name)))) return false
    return !(state.excludes?.(name) || (isDir && state.excludesDir?.(name)))
  }

  const matches = (path: string): boolean => {
    const isDir = path.endsWith('/')
    const names = path.split('/').filter((name) => name !== '' && name !== '.')
    const last = names.pop()
    let state: GlobState | undefined = start
    for (const name of names) {
      state = enter(state, name)
      if (!state) return false
    }
    return last !== undefined && accept(state, last, isDir ? 'dir' : (wanted ?? 'file'))
  }

  const units = all.reduce((sum, { sources }) => sum + sources.join().length, 0)
  return { start, enter, accept, matches, cost: 1 + Math.floor(units / UNITS_A_MICROSECOND) }
}
