import type { Steps } from '../steps.js'
import { type HunkPlace, hunkAmbiguous, hunkError } from './errors.js'
import { contextNotFound, linesNotFound } from './explain-miss.js'
import { findLines, matchesAt, type Scope } from './find-lines.js'
import { isOld, oldLines } from './hunk-lines.js'
import { type LineTable, PATCH_LEVELS, type PatchLevel } from './line-table.js'
import type { Hunk, PatchLine } from './types.js'

const MAX_CANDIDATES = 100
/** Lines checked in one step. */
const LINES_A_STEP = 16_384
/** Maximum empty lines at the end of a hunk that may be missing in the file. */
const MOST_EMPTY = 16

const oneBased = (line: number): number => line + 1

export interface LocateOptions {
  /** What to do if a hunk fits several places: reject it, or take the first. */
  readonly ambiguity: 'refuse' | 'first'
}

/** A hunk with its position. */
export interface Located {
  readonly hunk: Hunk
  /** Zero-based line of the file at which its old lines begin. */
  readonly at: number
  /** The lines of the hunk, without an empty last line that the file does not have. */
  readonly lines: readonly PatchLine[]
  readonly level: PatchLevel
}

/**
 * Finds the place of a hunk at or after line `cursor` (zero-based). The hunk's `@@` lines select a block of the file, and its old lines
 * must match there exactly once. If they do not match there, they must match exactly once after the line that the `@@` lines select. A
 * match at the hunk's line number takes precedence over other matches of its level.
 *
 * @throws {InputError} `no_match`, `ambiguous_match`
 */
export function* locate(table: LineTable, hunk: Hunk, cursor: number, place: HunkPlace, options: LocateOptions): Steps<Located> {
  const { inner, rest } = yield* scopesOf(table, hunk, cursor, place, options)
  for (let lines = hunk.lines; ; ) {
    const old = oldLines(lines)
    if (old.length === 0) return { hunk, at: insertionPoint(table, hunk, cursor, inner, place, options), lines, level: 'exact' }
    const found = yield* findOld(table, hunk, old, inner, rest, options)
    if (found && (found.at.length === 1 || options.ambiguity === 'first'))
      return { hunk, at: found.at[0] as number, lines, level: found.level }
    if (found) throw hunkAmbiguous(place, 'fits', found.at.map(oneBased))
    const shorter = hunk.lines.length - lines.length < MOST_EMPTY ? withoutEmptyEnd(lines) : undefined
    if (!shorter) throw yield* linesNotFound(table, hunk, rest.from, place)
    lines = shorter
  }
}

function* findOld(
  table: LineTable,
  hunk: Hunk,
  old: readonly string[],
  inner: readonly Scope[],
  rest: Scope,
  { ambiguity }: LocateOptions,
): Steps<{ level: PatchLevel; at: readonly number[] } | undefined> {
  if (hunk.atEnd) {
    const at = table.count - old.length
    const level = at < rest.from ? undefined : PATCH_LEVELS.find((each) => matchesAt(table, old, at, each))
    return level && { level, at: [at] }
  }
  const search = { limit: ambiguity === 'first' ? 1 : MAX_CANDIDATES, exactly: hunk.start === undefined ? undefined : hunk.start - 1 }
  const found = yield* findLines(table, old, inner, search)
  const [first] = found?.at ?? []
  const end = table.count - old.length
  if (first !== undefined && first < end && ambiguity === 'refuse' && wasAtEnd(hunk) && matchesAt(table, old, end, 'exact'))
    return { level: 'exact', at: [first, end] }
  // Without an `@@` line, `inner` already covers the whole range.
  return found ?? (hunk.contexts.length === 0 ? undefined : yield* findLines(table, old, [rest], search))
}

/** Whether the diff's change was at the end of the file. A diff shows context after a change, unless the file ends there. */
function wasAtEnd({ from, lines }: Hunk): boolean {
  if (from !== 'diff') return false
  return lines.some(({ noNewline }) => noNewline) || (lines.at(-1)?.mark !== ' ' && lines.some(({ mark }) => mark === ' '))
}

/** Where to search for a hunk: first in `inner`, then in `rest`. */
interface Scopes {
  readonly inner: readonly Scope[]
  readonly rest: Scope
}

function* scopesOf(table: LineTable, hunk: Hunk, cursor: number, place: HunkPlace, { ambiguity }: LocateOptions): Steps<Scopes> {
  let rest: Scope = { from: cursor, to: table.count + 1 }
  let inner: readonly Scope[] = [rest]
  for (const [i, context] of hunk.contexts.entries()) {
    yield
    const limit = { limit: ambiguity === 'first' ? 1 : MAX_CANDIDATES }
    const found = (yield* findLines(table, [context], inner, limit)) ?? (yield* findLines(table, [context], [rest], limit))
    const first = found?.at[0]
    if (!found || first === undefined) throw yield* contextNotFound(table, context, i === 0, place)
    if (found.at.length >= MAX_CANDIDATES) throw hunkAmbiguous(place, 'has an @@ line that occurs', found.at.map(oneBased))
    // A hunk may repeat its `@@` line as its first old line.
    const repeats = i === hunk.contexts.length - 1 && hunk.lines.find(isOld)?.text.trim() === context.trim()
    const below = repeats ? 0 : 1
    rest = { from: first + below, to: table.count + 1 }
    if (ambiguity === 'first') {
      inner = [rest]
      continue
    }
    const blocks: Scope[] = []
    for (const at of found.at) blocks.push({ from: at + below, to: yield* blockEnd(table, at) })
    inner = blocks
  }
  return { inner, rest }
}

/** Returns the end of the block that starts at line `at`: after the next line that is not indented deeper, usually a closing bracket. */
function* blockEnd(table: LineTable, at: number): Steps<number> {
  const depth = indentation(table.line(at))
  for (let i = at + 1; i < table.count; i++) {
    const line = table.line(i)
    if (line.trim() !== '' && indentation(line) <= depth) return i + 1
    if (i % LINES_A_STEP === 0) yield
  }
  return table.count + 1
}

const indentation = (line: string): number => line.length - line.trimStart().length

/** Returns the place of a hunk without old lines: after the `@@` line, at the line number, or at the end. */
function insertionPoint(
  table: LineTable,
  hunk: Hunk,
  cursor: number,
  inner: readonly Scope[],
  place: HunkPlace,
  { ambiguity }: LocateOptions,
): number {
  if (hunk.atEnd) return table.count
  if (hunk.contexts.length > 0) {
    const places = inner.map(({ from }) => from)
    if (places.length > 1 && ambiguity === 'refuse') throw hunkAmbiguous(place, 'has an @@ line that occurs', places)
    return places[0] ?? table.count
  }
  if (hunk.start === undefined) return table.count
  if (hunk.start > table.count || hunk.start < cursor) {
    const why = hunk.start < cursor ? 'an earlier hunk is below it' : `the file has ${table.count} lines`
    throw hunkError('no_match', place, `adds lines after line ${hunk.start}, but ${why}`, { total_lines: table.count })
  }
  return hunk.start
}

/** Drops a final empty line, because splitting a file at line breaks produces one. Returns undefined if there is none. */
function withoutEmptyEnd(lines: readonly PatchLine[]): readonly PatchLine[] | undefined {
  const last = lines.findLastIndex(isOld)
  const end = lines[last]
  if (end?.text !== '' || oldLines(lines).length === 1) return undefined
  const added = lines.findLastIndex(({ mark }) => mark === '+')
  const goes = end.mark === '-' && lines[added]?.text === '' ? [last, added] : [last]
  return lines.filter((_, i) => !goes.includes(i))
}
