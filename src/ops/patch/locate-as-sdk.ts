import { detectEol } from '../lines.js'
import type { Steps } from '../steps.js'
import { type HunkPlace, hunkAmbiguous, hunkError } from './errors.js'
import { contextNotFound } from './explain-miss.js'
import { findLines, matchesAt } from './find-lines.js'
import { oldLines } from './hunk-lines.js'
import type { LineTable } from './line-table.js'
import { type Located, locate } from './locate.js'
import type { Hunk } from './types.js'

const LINES_A_STEP = 8192

/**
 * Like `locate`, for a hunk that must go exactly where `applyDiff` of `@openai/agents` puts it: at the first match after the first line
 * that equals its `@@` line; without old lines, at the cursor.
 *
 * @throws {InputError} `no_match`; `ambiguous_match` if other places match, or the SDK would choose another one
 */
export function* locateAsSdk(table: LineTable, hunk: Hunk, cursor: number, place: HunkPlace): Steps<Located> {
  if (hunk.mistake) throw hunk.mistake
  // The SDK ignores line numbers.
  const { start: _, ...given } = hunk
  const old = oldLines(hunk.lines)
  const from = yield* behindAnchors(table, hunk.contexts, cursor, place)
  if (old.length === 0 && hunk.contexts.length === 0) {
    // The SDK would insert a blank line before the new lines.
    if (hunk.atEnd && table.count === 0)
      throw hunkError('invalid_input', place, 'has *** End of File, but the file is empty: remove that line')
    return { hunk, at: hunk.atEnd ? table.count : from, lines: hunk.lines, level: 'exact' }
  }
  const found = yield* locate(table, given, cursor, place, { ambiguity: 'refuse' })
  if (found.level === 'unicode' || found.lines.length !== hunk.lines.length) {
    const why = found.level === 'unicode' ? 'different dashes, quotes or spaces' : 'one empty line less at its end'
    throw hunkError('no_match', place, `has lines that the file has at line ${found.at + 1} with ${why}: copy the lines from the file`)
  }
  const first = hunk.atEnd
    ? found.at
    : old.length === 0
      ? from
      : (yield* findLines(table, old, [{ from, to: table.count + 1 }], { limit: 1 }))?.at[0]
  if (first !== found.at)
    throw hunkAmbiguous(
      place,
      'fits',
      [found.at + 1, ...(first === undefined ? [] : [first + 1])].sort((a, b) => a - b),
    )
  // For the SDK a file ends in an empty line, and the SDK prefers this line to a line with white space.
  const end = table.count - old.length + 1
  const endsBlank = found.level !== 'exact' && old.at(-1)?.trim() === '' && /(?:^|\n)$/.test(table.text)
  if (endsBlank && end >= from && matchesAt(table, old.slice(0, -1), end, 'surrounding_space'))
    throw hunkAmbiguous(place, 'fits', [found.at + 1, end + 1])
  if (detectEol(table.text) === 'mixed') {
    // In such a file the SDK treats a CR as a character of its line, so the SDK may choose another place.
    yield* onlyOne(table, old, from, place)
    for (const context of hunk.contexts) yield* onlyOne(table, [context], 0, place)
  }
  return found
}

/** @throws {InputError} `ambiguous_match` if the lines occur more than once from line `from` on, ignoring white space */
function* onlyOne(table: LineTable, lines: readonly string[], from: number, place: HunkPlace): Steps<void> {
  const found: number[] = []
  if (lines.length === 0) return
  for (let at = from; at < table.count && found.length < 2; at++) {
    if (matchesAt(table, lines, at, 'surrounding_space')) found.push(at + 1)
    if (at % LINES_A_STEP === 0) yield
  }
  // For the SDK a file ends in an empty line.
  if (lines.at(-1)?.trim() === '') found.push(table.count + 1)
  if (found.length > 1) throw hunkAmbiguous(place, 'fits', found)
}

/**
 * Returns the line after the last `@@` line. Rejects an `@@` line that also occurs above the cursor, because Toolport and the SDK would
 * choose different places.
 */
function* behindAnchors(table: LineTable, contexts: readonly string[], cursor: number, place: HunkPlace): Steps<number> {
  let from = cursor
  for (const [i, context] of contexts.entries()) {
    const before = i === 0 ? yield* findLines(table, [context], [{ from: 0, to: cursor }], { limit: 1 }) : undefined
    const after = yield* findLines(table, [context], [{ from, to: table.count }], { limit: 1 })
    const first = after?.at[0]
    if (!after || first === undefined || after.level === 'unicode') throw yield* contextNotFound(table, context, i === 0, place)
    if (before && (before.level === 'exact' || after.level !== 'exact'))
      throw hunkAmbiguous(place, 'has an @@ line that occurs', [(before.at[0] ?? 0) + 1, first + 1])
    let at = from
    if (after.level === 'exact') at = first
    else while (table.line(at).trim() !== context.trim()) at++
    from = at + 1
  }
  return from
}
