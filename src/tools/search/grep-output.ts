import type { GrepMatch } from '../../ops/grep.js'
import { visibleName } from '../../ops/visible-name.js'
import { hintNote, moreNote } from './pages.js'
import { type Skipped, skippedNote } from './skipped.js'

/** Options of `grep` besides the pattern, with defaults. */
export interface GrepInput {
  readonly path: string
  readonly glob?: string | readonly string[] | undefined
  readonly output: 'content' | 'files' | 'count'
  readonly before: number
  readonly after: number
  readonly limit: number
  readonly cursor?: string | undefined
  readonly hidden: boolean
  readonly ignore: boolean
}

export interface GrepOutput {
  /** For output "content": the matches, in path order, then line order. */
  readonly matches?: readonly ({ readonly path: string } & GrepMatch)[]
  /** For output "files": the paths of files with a match. */
  readonly files?: readonly string[]
  /** For output "count": the number of matching lines per file, or of matches with `multiline`. */
  readonly counts?: readonly { readonly path: string; readonly count: number }[]
  readonly files_searched: number
  /**
   * Number of skipped files, directories, links and lines, by reason. For a result without a match, also counts what the rules of the call
   * exclude.
   */
  readonly skipped?: Skipped
  /**
   * Notes: how the tool read the globs, if not as written; why a glob without files may be a mistake; why the pattern may have found
   * nothing; that a result ended before its limit.
   */
  readonly hint?: string
  readonly truncated: boolean
  /** The search was stopped before its end; the result has the matches so far. */
  readonly interrupted?: true
  readonly next?: string
}

/** Renders matches below the path of their file, with `12:` before a matching line and `11-` before a context line. */
export function renderGrep(output: GrepOutput): string {
  const { matches, files, counts, next } = output
  const body = matches
    ? renderMatches(matches)
    : files
      ? files.map(visibleName).join('\n')
      : (counts ?? []).map(({ path, count }) => `${visibleName(path)}: ${count}`).join('\n')
  const shown = (matches ?? files ?? counts ?? []).length
  const what = matches ? 'matches' : 'files'
  return (body || `[No match in ${output.files_searched} files]`) + moreNote(shown, what, next) + renderSkipped(output)
}

function renderMatches(matches: NonNullable<GrepOutput['matches']>): string {
  let body = ''
  let current = ''
  for (const { path, line, text, before, after } of matches) {
    if (path !== current) body += `${current === '' ? '' : '\n\n'}${visibleName(path)}`
    else if (before || after) body += '\n--'
    current = path
    let at = line - (before?.length ?? 0)
    for (const around of before ?? []) body += `\n${at++}-${around}`
    for (const touched of text.split('\n')) body += `\n${at++}:${touched}`
    for (const around of after ?? []) body += `\n${at++}-${around}`
  }
  return body
}

function renderSkipped({ skipped, interrupted, hint }: GrepOutput): string {
  return skippedNote('Not searched', skipped) + hintNote(hint) + (interrupted ? '\n[Search stopped early]' : '')
}
