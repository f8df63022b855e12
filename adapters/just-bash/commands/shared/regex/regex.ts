import type { compileLongest, LongestMatcher } from '../../../../../src/ops/regex/longest.js'
import { Failure } from '../failure.js'
import { compileBacktracking } from './backtrack.js'
import { emit, LINE_BEGIN, LINE_END } from './emit.js'
import type { Match } from './match.js'
import { type PosixSyntax, parsePosix } from './parse.js'
import { type Plan, planOf } from './plan.js'

/** A compiled expression. */
export interface Regex {
  readonly groups: number
  exec(text: string, from?: number): Match | undefined
  test(text: string): boolean
  /**
   * Replaces all matches with the engine of the runtime, which is three times as fast. Undefined if this is not possible, or if the
   * expression has groups.
   */
  replaceAll?(text: string, body: (match: string, index: number) => string): string | undefined
  /** How to search many lines at once, or undefined if the expression works only line by line. */
  readonly inLines?: InLines | undefined
}

interface InLines {
  /** JavaScript source whose matches stay within a line. */
  readonly source: string
  readonly power: number
}

export interface RegexOptions extends PosixSyntax {
  readonly ignoreCase?: boolean
  /** Whether `^` and `$` also match at line breaks. */
  readonly multiline?: boolean
  /** Whether characters are Unicode characters. Default: true. */
  readonly unicode?: boolean
  /** Whether matches must be whole words or whole lines. */
  readonly whole?: 'word' | 'line' | undefined
}

/** Maximum worst-case number of steps in the runtime's backtracking engine: about a quarter of a second without interruption. */
const MAX_STEPS = 2e8
/** The same limit for many lines at once: a few milliseconds. */
const MAX_LINES_STEPS = 1e7
/** The same limit for back references, which make each step longer. */
const MAX_BACK_STEPS = 1e6

let longest: typeof compileLongest | undefined

/** Loads the linear-time engine for longest matches. `compileRegex` needs this engine for some expressions. */
export async function loadLongest(): Promise<void> {
  longest ??= (await import('../../../../../src/ops/regex/longest.js')).compileLongest
}

/** Whether any expression in this source may need `loadLongest`. */
export function mayNeedLongest(source: string): boolean {
  return /\||\)\\?[*+?{]/.test(source)
}

/** Lines of at least this length may need `loadLongest` for any expression. */
export const LONG_LINE = 250

/** @throws {Failure} status 2 */
export function compileRegex(
  source: string,
  { ignoreCase = false, multiline = false, unicode = true, whole, ...syntax }: RegexOptions,
): Regex {
  const { body, groups } = parsePosix(source, syntax)
  const plan = planOf(body)
  const [before, behind] = frameOf(whole, unicode, '^', '$')
  const native = new RegExp(
    `${before}(?:${emit(body, { unicode, multiline, re2: false })})${behind}`,
    `g${unicode ? 'u' : ''}${ignoreCase ? 'i' : ''}`,
  )
  const re2 = { unicode, multiline, re2: true }
  let linear: LongestMatcher | undefined
  const linearFor = (text: string): LongestMatcher | undefined => {
    if (!longest || !needsLongest(plan, text)) return undefined
    linear ??= longest(whole === 'line' ? `\\A(?:${emit(body, re2)})\\z` : emit(body, re2), ignoreCase)
    return whole === 'word' ? wholeWords(linear) : linear
  }
  let counted: ReturnType<typeof compileBacktracking> | undefined
  const exec = (text: string, from: number): Match | undefined => {
    if (plan.backReferences && (plan.explosive || isTooLong(plan.power + 1, text, MAX_BACK_STEPS))) {
      counted ??= compileBacktracking(body, { groups, ignoreCase, unicode, multiline, before, behind })
      return counted(text, from)
    }
    const engine = linearFor(text)
    if (engine) return engine.exec(text, from)
    native.lastIndex = from
    const found = native.exec(text)
    return found ? { index: found.index, end: found.index + found[0].length, groups: found } : undefined
  }
  if (plan.explosive && !plan.backReferences && !longest) throw new Failure('Regular expression too complex', 2)
  const inLines = (): InLines => {
    const [before, behind] = frameOf(whole, unicode, LINE_BEGIN, LINE_END)
    const source = emit(body, { unicode, multiline, re2: false, inLine: true })
    return { source: before + (body.length > 1 ? `(?:${source})` : source) + behind, power: plan.power }
  }
  return {
    groups,
    inLines: plan.explosive || plan.backReferences ? undefined : inLines(),
    exec: (text, from = 0) => exec(text, from),
    replaceAll(text, body) {
      if (groups > 0 || plan.backReferences || linearFor(text)) return undefined
      native.lastIndex = 0
      return text.replace(native, body)
    },
    test(text) {
      if (plan.backReferences) return exec(text, 0) !== undefined
      const engine = plan.explosive || tooLong(plan, text) ? linearFor(text) : undefined
      if (engine) return engine.test(text)
      native.lastIndex = 0
      return native.test(text)
    },
  }
}

const WORD = /[\p{L}\p{M}0-9_]/u

/** Returns the assertions before and after a match. */
function frameOf(whole: RegexOptions['whole'], unicode: boolean, begin: string, end: string): readonly [before: string, behind: string] {
  if (whole === 'line') return [begin, end]
  const word = unicode ? '[\\p{L}\\p{M}0-9_]' : '\\w'
  return whole === 'word' ? [`(?<!${word})`, `(?!${word})`] : ['', '']
}

/** Accepts only matches that are whole words. Does not try a shorter match at the same position. */
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

/** Whether the runtime's engine can search all lines of this length quickly. */
export const areShort = (power: number, length: number, lines: number): boolean => !isTooLong(power, { length }, MAX_LINES_STEPS / lines)

const tooLong = ({ power }: Plan, text: string): boolean => isTooLong(power, text, MAX_STEPS)

/**
 * Whether the worst case of a backtracking engine exceeds `most` steps. The worst case is the number of ways to place the ends of `power`
 * repetitions in the text.
 */
function isTooLong(power: number, { length }: { readonly length: number }, most: number): boolean {
  let ways = 1
  for (let i = 0; i < power; i++) ways *= Math.max(1, length - i) / (i + 1)
  return ways > most
}
