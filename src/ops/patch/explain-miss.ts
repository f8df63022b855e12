import type { InputError } from '../../errors/index.js'
import { clipText, describeNear } from '../nearest-difference.js'
import { nearestText } from '../nearest-text.js'
import type { Steps } from '../steps.js'
import { type HunkPlace, hunkError, MAX_LINES_NAMED, unmarkedLine } from './errors.js'
import { findLines } from './find-lines.js'
import { newLines, oldLines } from './hunk-lines.js'
import type { LineTable } from './line-table.js'
import type { Hunk } from './types.js'

/** Maximum lines of a hunk for which the nearest place is searched. */
const MAX_LINES_SOUGHT = 200

/** Creates the error for an `@@` line that does not occur in the searched range. */
export function* contextNotFound(table: LineTable, context: string, isFirst: boolean, place: HunkPlace): Steps<InputError> {
  yield
  const above = isFirst ? 'the previous hunk' : 'the previous @@ line'
  const anywhere = yield* findAnywhere(table, [context])
  if (anywhere !== undefined) {
    const where = `occurs only at line ${anywhere + 1}, above ${above}`
    return notFound(place, 'context', [context], [`has the line "@@ ${context.trim()}", which ${where}`])
  }
  const marked = `@@ ${context}`
  if ((yield* findAnywhere(table, [marked])) !== undefined) return unmarkedLine(place, marked)
  const below = place.index > 0 ? ' below the previous hunk' : ''
  return notFound(place, 'context', [context], [`has the line "@@ ${context.trim()}", which is not in the file${below}`], table)
}

/**
 * Creates the error for old lines that do not occur from line `from` (zero-based) on. The error names other places where the lines occur,
 * or the most similar lines.
 */
export function* linesNotFound(table: LineTable, hunk: Hunk, from: number, place: HunkPlace): Steps<InputError> {
  yield
  const old = oldLines(hunk.lines)
  const whole = yield* findAnywhere(table, old)
  // An empty line at the end may be only formatting.
  const shown = whole === undefined && old.at(-1) === '' && old.length > 1 ? old.slice(0, -1) : old
  const anywhere = shown === old ? whole : yield* findAnywhere(table, shown)
  if (anywhere !== undefined) {
    const isBelow = hunk.atEnd && anywhere >= from
    const isTaken = ({ at, lines }: { at: number; lines: Hunk['lines'] }): boolean =>
      at < anywhere + shown.length && anywhere < at + oldLines(lines).length
    const taken = place.before?.findIndex(isTaken) ?? -1
    const above = taken < 0 ? 'above the previous hunk' : `in lines that hunk ${taken + 1} already changes`
    const bound = hunk.contexts.length > 0 ? 'not below its @@ line' : above
    const where = isBelow
      ? `has *** End of File, but its lines are at line ${anywhere + 1}, not at the end`
      : `has lines that occur only at line ${anywhere + 1}, ${bound}`
    return notFound(place, 'lines', old, [where])
  }
  if (table.count === 0) return notFound(place, 'lines', old, ['the file is empty'])
  const parts = ['has lines that are not in the file']
  const fresh = newLines(hunk.lines)
  const isPart = fresh.length > 0 && fresh.length < hunk.lines.length
  if (isPart && (yield* findAnywhere(table, fresh)) !== undefined)
    parts.push('The new lines are already in the file: this patch may have been applied before')
  return notFound(place, 'lines', old, parts, table)
}

function* findAnywhere(table: LineTable, lines: readonly string[]): Steps<number | undefined> {
  return (yield* findLines(table, lines, [{ from: 0, to: table.count }], { limit: 1 }))?.at[0]
}

/** `around`: the file in which to search for similar lines. */
function notFound(
  place: HunkPlace,
  missing: 'context' | 'lines',
  expected: readonly string[],
  parts: string[],
  around?: LineTable,
): InputError {
  const near = around && nearestText(around.text, expected.slice(0, MAX_LINES_SOUGHT).join('\n'))
  if (near) parts.push(describeNear(near))
  const error = hunkError('no_match', place, parts.join('. '), {
    expected: expected.slice(0, MAX_LINES_NAMED),
    ...(expected.length > MAX_LINES_NAMED && { expected_total: expected.length }),
    missing,
    ...(near && { nearest: { line: near.line, text: near.text, similarity: near.similarity } }),
  })
  error.message += `\nExpected:\n${clipText(expected.join('\n'))}`
  return error
}
