import { commonPrefix, commonSuffix } from '../common-prefix.js'
import type { Steps } from '../steps.js'
import { countBelow } from '../text-search.js'
import { byNumber, type LineIndex, type LineTable, lineTable, numberLines, type PatchLevel } from './line-table.js'

/**
 * Creates the table of a text that differs from the text of `old` in a few places. Unchanged lines keep their numbers. Do not use the old
 * table afterwards.
 */
export function* tableAfter(old: LineTable, text: string): Steps<LineTable> {
  const indexes = new Map<PatchLevel, LineIndex>()
  const table = yield* lineTable(text, indexes)
  const { first, last } = linesInCommon(old, table)
  for (const [level, { ids: before, numbers }] of old.indexes) {
    const ids = new Int32Array(table.count)
    ids.set(before.subarray(0, first))
    yield
    ids.set(before.subarray(old.count - last), table.count - last)
    yield* numberLines(withOwnLines(table), level, { ids, numbers, from: first, to: table.count - last })
    indexes.set(level, yield* byNumber(ids, numbers, level))
  }
  return table
}

/** Returns the numbers of equal lines at the start (`first`) and at the end (`last`). */
function linesInCommon(a: LineTable, b: LineTable): { readonly first: number; readonly last: number } {
  const shorter = Math.min(a.text.length, b.text.length)
  const prefix = commonPrefix(a.text, b.text, shorter)
  const first = Math.min(...[a, b].map(({ starts }) => countBelow(starts, prefix + 1) - 1))
  const suffix = commonSuffix(a.text, b.text, shorter - (a.starts[first] ?? 0))
  const last = Math.min(...[a, b].map(({ starts, text, count }) => count - countBelow(starts, text.length - suffix)))
  return { first, last: Math.max(0, last) }
}

/** Returns a table whose lines are copies: a substring would keep the whole text in memory, because the numbers outlive the text. */
const withOwnLines = (table: LineTable): LineTable => ({ ...table, line: (index) => ` ${table.line(index)}`.slice(1) })
