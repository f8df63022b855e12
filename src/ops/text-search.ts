import { finish, type Steps } from './steps.js'

/** Below this number of comparisons in the worst case, `indexOf` is fast for every pattern. */
const SAFE_COMPARISONS = 100_000_000
/** If the end of a pattern repeats for at most this length, `indexOf` stays fast. */
const SAFE_REPEAT = 32

/** Code units searched in one step. */
const UNITS_A_STEP = 262_144
/** Number of matches found at once. */
const MOST_FINDS = 1024

/** Returns the offset of the first occurrence at `from` or later, else -1. */
export type Search = (from: number) => number

/** All matches from `from` to `to`, inclusive. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly finds: readonly number[]
}

/**
 * Creates a search like `indexOf`, for one pattern (not empty). Finds many matches at once and caches the first and the last group, so that
 * consecutive searches are cheap. Always takes linear time: for long repetitive patterns ("aaa...b...aaa" in "aaa..."), the engine's own
 * search takes minutes per megabyte.
 */
export const createSearch = (text: string, pattern: string): Search => finish(searchSteps(text, pattern))

/** Runs `createSearch` in steps, including the search for the first matches. */
export function* searchSteps(text: string, pattern: string): Steps<Search> {
  const table = (yield* isSlowToFind(text, pattern)) ? yield* borders(pattern.length, (i) => pattern.charCodeAt(i)) : undefined
  const first = yield* stretch(text, pattern, table, 0)
  let last = first
  return (asked) => {
    const from = Math.max(0, asked)
    if (from > first.to && (from < last.from || from > last.to)) last = finish(stretch(text, pattern, table, from))
    const { finds } = from <= first.to ? first : last
    return finds[countBelow(finds, from)] ?? -1
  }
}

function* stretch(text: string, pattern: string, table: Int32Array | undefined, from: number): Steps<Stretch> {
  const finds = yield* table ? linearFinds(text, pattern, table, from) : plainFinds(text, pattern, from)
  return { from, to: finds.length < MOST_FINDS ? Number.POSITIVE_INFINITY : (finds.at(-1) as number), finds }
}

function* isSlowToFind(text: string, pattern: string): Steps<boolean> {
  if (text.length * pattern.length < SAFE_COMPARISONS || pattern.length <= SAFE_REPEAT) return false
  // Engines compare from the end of the pattern, so repeats of its end are expensive.
  const last = pattern.length - 1
  const repeats = yield* borders(pattern.length, (i) => pattern.charCodeAt(last - i))
  return repeats.some((length) => length > SAFE_REPEAT)
}

/** Returns for each prefix the length of its longest proper prefix that is also its suffix. */
function* borders(length: number, unitAt: (index: number) => number): Steps<Int32Array> {
  const table = new Int32Array(length)
  let border = 0
  for (let i = 1; i < length; i++) {
    const unit = unitAt(i)
    while (border > 0 && unitAt(border) !== unit) border = table[border - 1] ?? 0
    if (unitAt(border) === unit) border++
    table[i] = border
    if (i % UNITS_A_STEP === 0) yield
  }
  return table
}

/** Finds matches with the algorithm of Knuth, Morris and Pratt, which never goes back in the text. */
function* linearFinds(text: string, pattern: string, table: Int32Array, from: number): Steps<number[]> {
  const finds: number[] = []
  let matched = 0
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = table[matched - 1] ?? 0
    if (pattern.charCodeAt(matched) === unit) matched++
    if (matched === pattern.length) {
      if (finds.push(i + 1 - matched) === MOST_FINDS) break
      matched = table[matched - 1] ?? 0
    }
    if (i % UNITS_A_STEP === 0) yield
  }
  return finds
}

/** Finds matches with the engine's own `indexOf`, piece by piece. */
function* plainFinds(text: string, pattern: string, start: number): Steps<number[]> {
  const finds: number[] = []
  for (let from = start; from < text.length && finds.length < MOST_FINDS; from += UNITS_A_STEP) {
    const piece = text.slice(from, from + UNITS_A_STEP + pattern.length - 1)
    for (let at = piece.indexOf(pattern); at >= 0 && finds.length < MOST_FINDS; at = piece.indexOf(pattern, at + 1)) finds.push(from + at)
    if (from + UNITS_A_STEP < text.length) yield
  }
  return finds
}

/**
 * Returns the number of values below `limit` in an ascending list. With `from` and `to`, returns the index of the first value in `[from,
 * to)` that is not below the limit.
 */
export function countBelow(values: ArrayLike<number>, limit: number, from = 0, to: number = values.length): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] as number) < limit) low = middle + 1
    else high = middle
  }
  return low
}
