import { Failure } from '../shared/failure.js'
import { invalidArgument } from './messages.js'

/** `+n`: more than n; `-n`: less than n; `n`: exactly n. */
export interface Comparison {
  readonly how: 'more' | 'less' | 'equal'
  readonly number: number
}

/** Parses an integer. @throws {Failure} for other text */
export function comparisonOf(text: string, predicate: string): Comparison {
  const found = /^([-+]?)(\d+)$/.exec(text)
  if (!found) throw invalidArgument(text, predicate)
  return { how: howOf(found[1]), number: Number(found[2]) }
}

/** Parses a time, with an optional fraction. @throws {Failure} for other text */
function timeComparison(text: string, predicate: string): Comparison {
  const found = /^([-+]?)(\+?(?:\d+(?:\.\d*)?|\.\d+))$/.exec(text)
  if (!found) throw invalidArgument(text, predicate)
  return { how: howOf(found[1]), number: Number(found[2]) }
}

const howOf = (sign: string | undefined): Comparison['how'] => (sign === '+' ? 'more' : sign === '-' ? 'less' : 'equal')

export function compares({ how, number }: Comparison, value: number): boolean {
  return how === 'more' ? value > number : how === 'less' ? value < number : value === number
}

const UNITS: Readonly<Record<string, number>> = { b: 512, c: 1, w: 2, k: 1024, M: 1024 ** 2, G: 1024 ** 3 }

/** Parses `-size`. Like GNU, rounds file sizes up to whole units. @throws {Failure} for an invalid size */
export function sizeTest(text: string): (size: number) => boolean {
  if (text === '') throw new Failure('invalid null argument to -size')
  const suffix = text.at(-1) as string
  const isDigit = /\d/.test(suffix)
  if (!isDigit && !Object.hasOwn(UNITS, suffix)) throw new Failure(`invalid -size type \`${suffix}'`)
  const found = /^([-+]?)(\d+)$/.exec(isDigit ? text : text.slice(0, -1))
  if (!found || Number(found[2]) >= 2 ** 64) throw new Failure(`Invalid argument \`${text}' to -size`)
  const unit = isDigit ? 512 : (UNITS[suffix] as number)
  const comparison: Comparison = { how: howOf(found[1]), number: Number(found[2]) }
  return (size) => compares(comparison, Math.ceil(size / unit))
}

const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/** Creates the test of `-mmin n`, which matches times of more than n - 1 and at most n minutes ago. */
export function minutesTest(text: string, predicate: string, origin: number): (ms: number) => boolean {
  const { how, number } = timeComparison(text, predicate)
  return timeTest(how, origin - number * MINUTE_MS, MINUTE_MS)
}

/** Creates the test of `-mtime`, which counts whole days and ignores fractions. `origin`: the end of day 0. */
export function daysTest(text: string, predicate: string, origin: number): (ms: number) => boolean {
  const { how, number } = timeComparison(text, predicate)
  const first = origin - DAY_MS - number * DAY_MS
  return timeTest(how, how === 'less' ? first + DAY_MS - 1000 : first, DAY_MS)
}

function timeTest(how: Comparison['how'], edge: number, window: number): (ms: number) => boolean {
  if (how === 'more') return (ms) => ms < edge
  return how === 'less' ? (ms) => ms > edge : (ms) => ms > edge && ms <= edge + window
}
