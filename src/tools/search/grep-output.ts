import type { GrepMatch } from '../../ops/grep.js'
import { moreNote } from './pages.js'

/** What `grep` is asked beside the pattern, defaults filled in. */
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
  /** output "content": in path order, then line order. */
  readonly matches?: readonly ({ readonly path: string } & GrepMatch)[]
  /** output "files". */
  readonly files?: readonly string[]
  /** output "count": matching lines, or matches when multiline. */
  readonly counts?: readonly { readonly path: string; readonly count: number }[]
  readonly files_searched: number
  /** Files (and directories: unreadable) that were not searched, by reason, and lines too long for the pattern's engine (plain text is found in any); absent when there are none. */
  readonly skipped?: { readonly binary?: number; readonly too_large?: number; readonly unreadable?: number; readonly long_lines?: number }
  readonly truncated: boolean
  /** The search was stopped before its end; what it had found is here. */
  readonly interrupted?: true
  readonly next?: string
}

/** Matches below the path of their file, `12:` before a matching line, `11-` before one around it. */
export function renderGrep(output: GrepOutput): string {
  const { matches, files, counts, next } = output
  const body = matches
    ? renderMatches(matches)
    : files
      ? files.join('\n')
      : (counts ?? []).map(({ path, count }) => `${path}: ${count}`).join('\n')
  const shown = (matches ?? files ?? counts ?? []).length
  const what = matches ? 'matches' : 'files'
  return (body || `[No match in ${output.files_searched} files]`) + moreNote(shown, what, next) + renderSkipped(output)
}

function renderMatches(matches: NonNullable<GrepOutput['matches']>): string {
  const lines: string[] = []
  let current = ''
  for (const { path, line, text, before, after } of matches) {
    if (path !== current) lines.push(...(current === '' ? [] : ['']), path)
    else if (before || after) lines.push('--')
    current = path
    const touched = text.split('\n')
    const first = line - (before?.length ?? 0)
    lines.push(...(before ?? []).map((around, i) => `${first + i}-${around}`))
    lines.push(...touched.map((part, i) => `${line + i}:${part}`))
    lines.push(...(after ?? []).map((around, i) => `${line + touched.length + i}-${around}`))
  }
  return lines.join('\n')
}

function renderSkipped({ skipped, interrupted }: GrepOutput): string {
  const parts = Object.entries(skipped ?? {}).map(([why, count]) => `${count} ${why.replace('_', ' ')}`)
  const notes = [...(parts.length > 0 ? [`[Not searched: ${parts.join(', ')}]`] : []), ...(interrupted ? ['[Stopped before the end]'] : [])]
  return notes.length === 0 ? '' : `\n${notes.join('\n')}`
}
