import type { Line } from './line.js'
import { graphemes } from './widths.js'

/** Reverse search in the history, latest first. */
export interface HistorySearch {
  readonly query: string
  /** The matching command with the cursor at the match. If the current query has no match, the last match. */
  readonly line: Line
  readonly isFound: boolean
  type(text: string): void
  /** Deletes the last character of the query. */
  back(): void
  /** Moves to the next older match. */
  older(): void
}

/** `draft` is the result of an empty query. */
export function createHistorySearch(entries: readonly string[], draft: Line): HistorySearch {
  let query = ''
  let line = draft
  let at = entries.length
  let isFound = true

  function look(from: number): void {
    const found = query === '' ? -1 : entries.findLastIndex((entry, index) => index <= from && entry.includes(query))
    isFound = found >= 0 || query === ''
    if (found < 0) return
    const text = entries[found] ?? ''
    at = found
    line = { text, cursor: text.lastIndexOf(query) }
  }

  return {
    get query() {
      return query
    },
    get line() {
      return line
    },
    get isFound() {
      return isFound
    },
    type(text) {
      query += text
      look(at)
    },
    back() {
      query = query.slice(0, [...graphemes.segment(query)].at(-1)?.index ?? 0)
      if (query === '') line = draft
      look(entries.length - 1)
    },
    older: () => look(at - 1),
  }
}
