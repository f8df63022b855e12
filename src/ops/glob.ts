import type { FileKind } from '../types/fs.js'
import type { WalkFilter } from '../types/workspace.js'
import { type GlobBase, namesOf, parseGlobs } from './glob-parse.js'
import { createGlobStates, type GlobState, NOTHING } from './glob-states.js'
import { finish, type Steps } from './steps.js'

export interface GlobOptions {
  /** What may match; default `any`. */
  readonly kind?: FileKind | 'any'
  /**
   * Default true: names that begin with a dot are like any other. Else only a glob that spells the dot out matches one, name by name
   * (`.github/**` finds `.github/a`, not `.github/.b`), and what it excludes is excluded with or without a dot.
   */
  readonly dots?: boolean
  /** Where the walk starts, and what it cannot leave: absolute paths. Globs may be absolute then. */
  readonly base?: GlobBase
  /** A glob without a slash is about names at any depth, as in ripgrep. Default false. */
  readonly anyDepth?: boolean
}

/** Matches whole paths, and as the filter of a walk decides name by name and never enters a directory where nothing can match. */
export interface GlobMatcher extends WalkFilter<GlobState> {
  /** A path relative to the start, its components separated by `/`. With a `/` at the end it is a directory. */
  matches(path: string): boolean
}

const EVERYTHING = '**'
/** Characters of globs that are tried on a name, about. */
const UNITS_A_MICROSECOND = 16

/**
 * Compiles one glob or several, of which any may match.
 *
 * `*` and `?` match within a name, `[a-z]`, `[!x]` and `[[:alpha:]]` one character, `**` as a whole component any number of
 * directories, `{a,b}` and `{1..3}` alternatives, `?(a|b) *(a) +(a) @(a|b) !(a)` repetitions and exclusions within a name; a backslash
 * escapes the next character. A glob is anchored where the walk starts: `*.ts` matches there only, `**\/*.ts` at any depth. A slash at
 * the end asks for a directory. A glob that begins with `!` excludes what it matches and everything below, wherever it stands in the
 * list; alone it leaves everything else. Case counts. A component, and a class in it, also matches the name
 * that is written like it: `app/[id]/*.ts`, `file[1].txt`.
 *
 * @throws InputError `invalid_input` for a glob that is empty, too long, holds `..` or a NUL, or stands for more than 1,000 globs; for one
 * that cannot match what it seems to ask for: unclosed braces, a path outside, an exclusion with backslashes between directories.
 */
export function compileGlob(pattern: string | readonly string[], options: GlobOptions = {}): GlobMatcher {
  return finish(compileGlobSteps(pattern, options))
}

/** `compileGlob` in steps. */
export function* compileGlobSteps(pattern: string | readonly string[], options: GlobOptions = {}): Steps<GlobMatcher> {
  const { dots = true, base, anyDepth } = options
  const paths = yield* parseGlobs(pattern, { dots, base, anyDepth })
  const all = paths.every(({ exclude }) => exclude) ? [...(yield* parseGlobs(EVERYTHING, { dots, base })), ...paths] : paths
  const { start: top, enter } = createGlobStates(all, dots)
  // The directory was named: whether its own names begin with a dot is no question.
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
