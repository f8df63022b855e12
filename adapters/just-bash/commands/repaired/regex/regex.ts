import type { compileLongest, LongestMatcher } from '../../../../../src/ops/regex/longest.js'
import { Failure } from '../../failure.js'
import { emit } from './emit.js'
import { parsePosix } from './parse.js'
import { type Plan, planOf } from './plan.js'

export interface Match {
  readonly index: number
  readonly end: number
  /** The whole match first; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[]
}

/** A compiled expression. */
export interface Regex {
  readonly groups: number
  exec(text: string, from?: number): Match | undefined
  test(text: string): boolean
}

export interface RegexOptions {
  readonly extended: boolean
  readonly ignoreCase?: boolean
  /** `^` and `$` are also at line breaks. */
  readonly multiline?: boolean
  /** Characters are Unicode's; default true. */
  readonly unicode?: boolean
  /** Matches are whole words, or whole lines. */
  readonly whole?: 'word' | 'line' | undefined
}

/** Steps that a backtracking engine may take in the worst case. */
const MAX_STEPS = 2e9

let longest: typeof compileLongest | undefined

/** Loads the engine that takes linear time and finds the longest match: what `compileRegex` needs for some expressions. */
export async function loadLongest(): Promise<void> {
  longest ??= (await import('../../../../../src/ops/regex/longest.js')).compileLongest
}

/** Whether any expression in this source may need `loadLongest`. */
export function mayNeedLongest(source: string): boolean {
  return /\||\)\\?[*+?{]/.test(source)
}

/** Lines of this length may need `loadLongest` whatever the expression. */
export const LONG_LINE = 400

/** @throws {Failure} status 2 */
export function compileRegex(
  source: string,
  { extended, ignoreCase = false, multiline = false, unicode = true, whole }: RegexOptions,
): Regex {
  const { body, groups } = parsePosix(source, extended)
  const plan = planOf(body)
  const framed = bounded(emit(body, { unicode, multiline, re2: false }), whole, unicode)
  const native = new RegExp(framed, `g${unicode ? 'u' : ''}${ignoreCase ? 'i' : ''}`)
  const re2 = { unicode, multiline, re2: true }
  let linear: LongestMatcher | undefined
  const engineFor = (text: string): LongestMatcher | undefined => {
    // Only backtracking knows back references, and on this text it may take hours.
    if (plan.backReferences && tooLong(plan, text)) throw new Failure('Regular expression too complex for a line this long', 2)
    if (!longest || !needsLongest(plan, text)) return undefined
    linear ??= longest(whole === 'line' ? `\\A(?:${emit(body, re2)})\\z` : emit(body, re2), ignoreCase)
    return whole === 'word' ? wholeWords(linear) : linear
  }
  if (plan.explosive && (plan.backReferences || !longest)) throw new Failure('Regular expression too complex', 2)
  return {
    groups,
    exec(text, from = 0) {
      const engine = engineFor(text)
      if (engine) return engine.exec(text, from)
      native.lastIndex = from
      const found = native.exec(text)
      return found ? { index: found.index, end: found.index + found[0].length, groups: found } : undefined
    },
    test(text) {
      const engine = plan.explosive || tooLong(plan, text) ? engineFor(text) : undefined
      if (engine) return engine.test(text)
      native.lastIndex = 0
      return native.test(text)
    },
  }
}

const WORD = /[\p{L}\p{M}0-9_]/u

function bounded(source: string, whole: RegexOptions['whole'], unicode: boolean): string {
  if (whole === 'line') return `^(?:${source})$`
  const word = unicode ? '[\\p{L}\\p{M}0-9_]' : '\\w'
  return whole === 'word' ? `(?<!${word})(?:${source})(?!${word})` : source
}

/** Only those matches that are words; a shorter one at the same place is not looked for. */
function wholeWords(engine: LongestMatcher): LongestMatcher {
  const exec = (text: string, from: number): Match | undefined => {
    for (let at = from; at <= text.length; ) {
      const match = engine.exec(text, at)
      if (!match) return undefined
      if (!WORD.test(text[match.index - 1] ?? '') && !WORD.test(text[match.end] ?? '')) return match
      at = match.index + 1
    }
    return undefined
  }
  return { exec, test: (text) => exec(text, 0) !== undefined }
}

function needsLongest(plan: Plan, text: string): boolean {
  return !plan.backReferences && (plan.ambiguous || plan.explosive || tooLong(plan, text))
}

/** The ways to place so many ends in the text: what a backtracking engine tries at the worst. */
function tooLong({ power }: Plan, { length }: string): boolean {
  let ways = 1
  for (let i = 0; i < power; i++) ways *= Math.max(1, length - i) / (i + 1)
  return ways > MAX_STEPS
}
