import type { Steps } from '../steps.js'
import { countBelow } from '../text-search.js'
import { FOLDS, type LineIndex, type LineTable, PATCH_LEVELS, type PatchLevel } from './line-table.js'

/** Lines compared in one step. */
const LINES_A_STEP = 32_768
/** Occurrences of a line checked in one step. */
const HITS_A_STEP = 4096

/** Zero-based lines of the text at which a match may start: `[from, to)`. */
export interface Scope {
  readonly from: number
  readonly to: number
}

export interface Found {
  readonly level: PatchLevel
  /** Start lines of the matches, ascending. */
  readonly at: readonly number[]
}

export interface FindOptions {
  /** Stop after this many matches. */
  readonly limit: number
  /** If a match starts exactly at this line, ignore other matches of its level. */
  readonly exactly?: number | undefined
}

/** Finds `lines` (not empty) in the scopes, at the first level with a match; undefined if there is none. */
export function* findLines(
  table: LineTable,
  lines: readonly string[],
  scopes: readonly Scope[],
  { limit, exactly }: FindOptions,
): Steps<Found | undefined> {
  for (const level of PATCH_LEVELS) {
    if (exactly !== undefined && inScopes(scopes, exactly) && matchesAt(table, lines, exactly, level)) return { level, at: [exactly] }
    const at = yield* searchLevel(yield* table.index(level), lines, scopes, limit)
    if (at.length > 0) return { level, at }
  }
  return undefined
}

const inScopes = (scopes: readonly Scope[], at: number): boolean => scopes.some(({ from, to }) => at >= from && at < to)

/** Whether `lines` match at line `at` (zero-based). */
export function matchesAt(table: LineTable, lines: readonly string[], at: number, level: PatchLevel): boolean {
  if (at < 0 || at + lines.length > table.count) return false
  const fold = FOLDS[level]
  return lines.every((line, i) => fold(line) === fold(table.line(at + i)))
}

function* searchLevel(index: LineIndex, lines: readonly string[], scopes: readonly Scope[], limit: number): Steps<number[]> {
  const pattern: number[] = []
  for (const line of lines) {
    const id = index.idOf(line)
    if (id === undefined) return []
    pattern.push(id)
    if (pattern.length % HITS_A_STEP === 0) yield
  }
  const hits = new Set<number>()
  for (const scope of scopes) {
    for (const hit of yield* searchScope(index, pattern, scope, limit)) hits.add(hit)
    if (hits.size >= limit) break
  }
  return [...hits].sort((a, b) => a - b)
}

/**
 * Finds a pattern of lines in a scope. Checks only the places where the rarest line of the pattern occurs. If that line occurs almost
 * everywhere, uses the algorithm of Knuth, Morris and Pratt.
 */
function* searchScope(index: LineIndex, pattern: readonly number[], scope: Scope, limit: number): Steps<number[]> {
  const { order, ids } = index
  const size = (id: number): number => index.range(id).to - index.range(id).from
  let rarest = 0
  for (let i = 1; i < pattern.length; i++) if (size(pattern[i] ?? 0) < size(pattern[rarest] ?? 0)) rarest = i
  const { from, to } = index.range(pattern[rarest] ?? 0)
  const first = countBelow(order, scope.from + rarest, from, to)
  const last = Math.min(scope.to - 1, ids.length - pattern.length)
  const end = countBelow(order, last + rarest + 1, first, to)
  if ((end - first) * pattern.length > 8 * (last - scope.from) + 1024)
    return yield* linearSearch(ids, pattern, { from: scope.from, to: last + 1 }, limit)
  const hits: number[] = []
  for (let i = first; i < end && hits.length < limit; i++) {
    const at = (order[i] ?? 0) - rarest
    if ((i - first) % HITS_A_STEP === HITS_A_STEP - 1) yield
    if (pattern.every((id, k) => ids[at + k] === id)) hits.push(at)
  }
  return hits
}

function* linearSearch(ids: Int32Array, pattern: readonly number[], scope: Scope, limit: number): Steps<number[]> {
  const table = borders(pattern)
  const hits: number[] = []
  const end = scope.to - 1 + pattern.length
  let matched = 0
  for (let i = scope.from; i < end && hits.length < limit; i++) {
    while (matched > 0 && pattern[matched] !== ids[i]) matched = table[matched - 1] ?? 0
    if (pattern[matched] === ids[i]) matched++
    if (matched === pattern.length) {
      hits.push(i + 1 - matched)
      matched = table[matched - 1] ?? 0
    }
    if (i % LINES_A_STEP === 0) yield
  }
  return hits
}

/** Returns for each prefix of the pattern the length of its longest proper prefix that is also its suffix. */
function borders(pattern: readonly number[]): Int32Array {
  const table = new Int32Array(pattern.length)
  let border = 0
  for (let i = 1; i < pattern.length; i++) {
    while (border > 0 && pattern[border] !== pattern[i]) border = table[border - 1] ?? 0
    if (pattern[border] === pattern[i]) border++
    table[i] = border
  }
  return table
}
