import { expansionAt, UNTERMINATED } from './expansion.js'
import type { Expansion } from './types.js'
import type { Unparsable } from './word-scanner.js'

export interface PendingHeredoc {
  readonly delimiter: string
  /** The delimiter was quoted, so nothing in the body is expanded. */
  readonly quoted: boolean
  /** `<<-`: leading tabs are ignored. */
  readonly tabs: boolean
  readonly at: number
}

/** Returns the end of the line with the delimiter. The body begins at `from`. Adds expansions in the body to `expansions`. */
export function readHeredoc(
  text: string,
  from: number,
  { delimiter, quoted, tabs, at }: PendingHeredoc,
  expansions: Expansion[],
): number | Unparsable {
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    if ((tabs ? line.replace(/^\t+/, '') : line) === delimiter) {
      return (quoted ? undefined : findExpansions(text, from, start, expansions)) ?? end
    }
    // Shells disagree about whether the next line may be the delimiter.
    if (!quoted && /(?:^|[^\\])(?:\\\\)*\\$/.test(line.slice(-1000))) {
      return { at: end - 1, reason: `a line of the heredoc ends in a backslash: quote its delimiter, <<'${delimiter}'` }
    }
    start = end + 1
  }
  return { at, reason: `the heredoc has no line "${delimiter}" that ends it` }
}

function findExpansions(text: string, from: number, end: number, expansions: Expansion[]): Unparsable | undefined {
  for (let i = from; i < end; ) {
    const char = text[i]
    if (char === '\\') i += 2
    else if (char !== '$' && char !== '`') i++
    else {
      const expansion = expansionAt(text, i, true)
      if (expansion === UNTERMINATED) return { at: i, reason: 'an expansion in the heredoc is not closed' }
      if (expansion) expansions.push(expansion)
      i = expansion?.end ?? i + 1
    }
  }
  return undefined
}
