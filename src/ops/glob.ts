import type { FileKind } from '../types/fs.js'
import type { WalkFilter } from '../types/workspace.js'
import { parseGlobs } from './glob-parse.js'
import { createGlobStates, type GlobState } from './glob-states.js'

export interface GlobOptions {
  /** What may match; default `any`. */
  readonly kind?: FileKind | 'any'
}

/** Matches whole paths, and as the filter of a walk decides name by name and never enters a directory where nothing can match. */
export interface GlobMatcher extends WalkFilter<GlobState> {
  /** A path relative to the start, its components separated by `/`. With a `/` at the end it is a directory. */
  matches(path: string): boolean
}

const EVERYTHING = '**'

/**
 * Compiles one glob or several, of which any may match.
 *
 * `*` and `?` match within a name, `[a-z]`, `[!x]` and `[[:alpha:]]` one character, `**` as a whole component any number of
 * directories, `{a,b}` and `{1..3}` alternatives, `?(a|b) *(a) +(a) @(a|b) !(a)` repetitions and exclusions within a name; a backslash
 * escapes the next character. A glob is anchored where the walk starts: `*.ts` matches there only, `**\/*.ts` at any depth. A slash at
 * the end asks for a directory. A glob that begins with `!` excludes what it matches and everything below, wherever it stands in the
 * list; alone it leaves everything else. Case counts. Names that begin with a dot are like any other.
 *
 * @throws InputError `invalid_input` for a glob that is empty, too long, holds `..` or a NUL, or stands for more than 1,000 globs.
 */
export function compileGlob(pattern: string | readonly string[], options: GlobOptions = {}): GlobMatcher {
  const paths = parseGlobs(pattern)
  const { start, enter } = createGlobStates(paths.every(({ exclude }) => exclude) ? [...parseGlobs(EVERYTHING), ...paths] : paths)
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

  return { start, enter, accept, matches }
}
