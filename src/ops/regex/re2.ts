import { RE2JS } from 're2js'
import type { InputError } from '../../errors/index.js'
import type { LineMatcher } from './line-matcher.js'
import { estimateClassCost, estimateProgramSize } from './program-size.js'
import { refusal } from './refuse.js'

export interface Re2Options extends Pick<LineMatcher, 'multiline' | 'seesReturns' | 'span' | 'required'> {
  readonly ignoreCase: boolean
  /** The pattern as it was given, for messages. */
  readonly shown: string
}

// Characters times instructions of the program. The engine that tells where a match is takes some 20 ns for one, the one that tells whether
// there is any next to nothing, or some 100 ns where it has to make a new state for every character.
const WORK = {
  lines: { slice: 250_000, line: 700_000 },
  /** With what is read ahead a part is four slices. A slice holds no line that is too long. */
  multiline: { slice: 225_000, line: 225_000 },
} as const
const MAX_SLICE = 1 << 16
/**
 * Characters that the quicker engine is given at once. It makes a state of its automaton for a character, at some 7 us, wherever it has
 * none yet, and there are patterns that need a new one for each; the other engine takes the same for every text.
 */
const QUICK_LENGTH = 3000
const QUICK_SLICE = 2500
// So few instructions have too few states to matter.
const QUICK_SIZE = 12
const MAX_LINE = 1 << 20
// Patterns that cannot search longer lines than this are refused.
const MIN_LINE = 256
// Instructions: compiling so many takes some 50 ms.
const MAX_ESTIMATE = 10_000
const MAX_CLASS_COST = 40_000

/** Searches with re2js. @throws InputError for a pattern that is no RE2. */
export function createRe2Matcher(source: string, options: Re2Options): LineMatcher {
  const { multiline, seesReturns, span, required } = options
  const work = multiline ? WORK.multiline : WORK.lines
  const maxSize = work.line / MIN_LINE
  // Some are refused before they are compiled, which would take too long itself.
  if (estimateProgramSize(source) > MAX_ESTIMATE) throw tooComplex(options.shown)
  if (estimateClassCost(source, options.ignoreCase) > MAX_CLASS_COST)
    throw refusal(
      options.shown,
      'it has too many Unicode classes (\\p{...}), or long ranges whose case does not count: use fewer, or less of a range',
    )
  const regex = compile(source, options)
  const size = regex.programSize()
  if (size > maxSize) throw tooComplex(options.shown)
  const longestLine = Math.min(MAX_LINE, Math.floor(work.line / size))
  const small = size <= QUICK_SIZE
  const slice = Math.min(multiline || small ? MAX_SLICE : QUICK_SLICE, Math.floor(work.slice / size))
  const isIn = (text: string): boolean => (small || text.length <= QUICK_LENGTH ? regex.test(text) : regex.matcher(text).find())
  const reach = 2 * (slice + longestLine)
  // What asks for the beginning or end of the whole text means a line here, and cannot be looked for in several lines at once.
  const byLine = /\\[Az]|\(\?[a-zA-Z]*-/.test(source)
  let end = 0

  const searchText = (text: string, from: number): number => {
    // Whether there is a match at all is the quicker question, by far.
    if (from === 0 && (small || text.length <= QUICK_LENGTH) && !regex.test(text)) return -1
    const matcher = regex.matcher(text)
    if (!matcher.find(from)) return -1
    end = matcher.end()
    return matcher.start()
  }

  const searchLines = (text: string, from: number): number => {
    const start = required === undefined ? firstLine(isIn, text, from, text.length, byLine) : firstLineWith(isIn, text, from, required)
    if (start < 0) return -1
    const lineEnd = text.indexOf('\n', start)
    const line = text.slice(start, lineEnd < 0 ? text.length : lineEnd)
    const matcher = regex.matcher(line)
    return matcher.find() ? start + matcher.start() : start
  }

  return {
    engine: 're2',
    multiline,
    seesReturns,
    span,
    required,
    slice: multiline && byLine ? Number.POSITIVE_INFINITY : slice,
    longestLine,
    reach: multiline ? reach : Number.POSITIVE_INFINITY,
    search: multiline ? searchText : searchLines,
    get end() {
      return end
    },
  }
}

function tooComplex(shown: string): InputError {
  return refusal(shown, 'it is too complex once its repetitions are written out: use smaller counts, fewer alternatives or a part of it')
}

const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [/`\\u`/, 'write "\\x{feff}" for "\\ufeff"'],
  [/`\\p\{/i, 'write the name of a script alone, as in "\\p{Greek}", and a category in short, as in "\\p{Lu}"'],
]

function compile(source: string, { ignoreCase, shown }: Re2Options): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // The library sets its multi-line mode by a flag before the pattern, and quotes both.
    const advice = ADVICE.find(([said]) => said.test(error.message))?.[1] ?? 'use RE2 syntax'
    throw refusal(shown, `${error.message.replace('`(?m)', '`')}: ${advice}, or set literal to true to find the text as it stands`)
  }
}

/**
 * The beginning of the first line in `[from, to)` that matches by itself, or -1. Whole runs of lines are tested first and halved on a
 * hit: a match that goes over a line break makes a false hit, never a false miss, and is found out at the single line.
 */
function firstLine(isIn: (text: string) => boolean, text: string, from: number, to: number, byLine: boolean): number {
  if (from >= to) return -1
  const content = text.charCodeAt(to - 1) === 10 ? to - 1 : to
  const middle = lineNear(text, from, to)
  if (middle === undefined || !byLine) {
    if (!isIn(text.slice(from, content))) return -1
    if (middle === undefined) return from
  }
  const found = firstLine(isIn, text, from, middle, byLine)
  return found >= 0 ? found : firstLine(isIn, text, middle, to, byLine)
}

/** The beginning of the first line that holds the text and matches, or -1. */
function firstLineWith(isIn: (text: string) => boolean, text: string, from: number, required: string): number {
  for (let at = text.indexOf(required, from); at >= 0; ) {
    const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
    const end = text.indexOf('\n', at)
    if (isIn(text.slice(start, end < 0 ? text.length : end))) return start
    at = end < 0 ? -1 : text.indexOf(required, end)
  }
  return -1
}

/** The beginning of a line well inside `[from, to)`, or undefined if that is one line. */
function lineNear(text: string, from: number, to: number): number | undefined {
  const half = (from + to) >>> 1
  const after = text.indexOf('\n', half) + 1
  if (after > 0 && after < to) return after
  const before = half > from ? text.lastIndexOf('\n', half - 1) + 1 : from
  return before > from && before < to ? before : undefined
}
