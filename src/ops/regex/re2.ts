import { RE2JS } from 're2js'
import type { InputError } from '../../errors/index.js'
import type { LineMatcher } from './line-matcher.js'
import { refusal } from './refuse.js'

interface Re2Options extends Pick<LineMatcher, 'multiline' | 'seesReturns' | 'span' | 'required'> {
  readonly ignoreCase: boolean
  /** The original pattern, for messages. */
  readonly shown: string
}

// Maximum work for one search, in characters times instructions of the compiled program. The engine that finds the position of a match
// takes about 20 ns per unit. The engine that only tests for a match takes almost no time, or about 100 ns if it has to create a new state
// for every character.
const WORK = {
  lines: { slice: 250_000, line: 700_000 },
  /** A part has up to four slices with read-ahead. Each slice contains only lines that are short enough. */
  multiline: { slice: 225_000, line: 225_000 },
} as const
const MAX_SLICE = 1 << 16
/**
 * Maximum characters for the faster engine. This engine creates a state of its automaton in about 7 us, and some patterns need a new state
 * for every character. The other engine takes the same time for every text.
 */
const QUICK_LENGTH = 3000
const QUICK_SLICE = 2500
// Programs with fewer instructions have so few states that creating them costs nothing noticeable.
const QUICK_SIZE = 12
const MAX_LINE = 1 << 20
// Minimum line length: a pattern that can only search shorter lines is rejected.
const MIN_LINE = 256
// Maximum estimated number of instructions. Compiling this many takes about 50 ms.
const MAX_ESTIMATE = 10_000
const MAX_CLASS_COST = 40_000

/** Searches with re2js. @throws InputError for a pattern that is not valid in RE2. */
export function createRe2Matcher(source: string, options: Re2Options): LineMatcher {
  const { multiline, seesReturns, span, required } = options
  const work = multiline ? WORK.multiline : WORK.lines
  const maxSize = work.line / MIN_LINE
  // Reject a very large pattern before compiling it, because compiling would take too long.
  if (estimateProgramSize(source) > MAX_ESTIMATE) throw tooComplex(options.shown)
  if (estimateClassCost(source, options.ignoreCase) > MAX_CLASS_COST)
    throw refusal(options.shown, 'it has too many Unicode classes (\\p{...}), or long case-insensitive ranges: use fewer or shorter ones')
  const regex = compile(source, options)
  const size = regex.programSize()
  if (size > maxSize) throw tooComplex(options.shown)
  const longestLine = Math.min(MAX_LINE, Math.floor(work.line / size))
  const small = size <= QUICK_SIZE
  const slice = Math.min(multiline || small ? MAX_SLICE : QUICK_SLICE, Math.floor(work.slice / size))
  const isIn = (text: string): boolean => (small || text.length <= QUICK_LENGTH ? regex.test(text) : regex.matcher(text).find())
  const reach = 2 * (slice + longestLine)
  // Assertions for the start or end of the whole text apply to a line here, so such a pattern cannot be searched in several lines at once.
  const byLine = /\\[Az]|\(\?[a-zA-Z]*-/.test(source)
  let end = 0

  const searchText = (text: string, from: number): number => {
    // Testing for a match is much faster than locating it.
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
  [/`\\p\{/i, 'write only the name of a script, as in "\\p{Greek}", or the short name of a category, as in "\\p{Lu}"'],
]

function compile(source: string, { ignoreCase, shown }: Re2Options): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // The library puts the multi-line flag before the pattern, and its messages quote both.
    const advice = ADVICE.find(([said]) => said.test(error.message))?.[1] ?? 'use RE2 syntax'
    throw refusal(shown, `${error.message.replace('`(?m)', '`')}: ${advice}, or set literal to true to search for plain text`)
  }
}

/**
 * Returns the start of the first line in `[from, to)` that matches on its own, or -1. Tests ranges of lines and halves a range that
 * matches. A match across a line break can cause a false positive, which the test of the single line detects, but never a false negative.
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

/** Returns the start of the first line that contains the required text and matches, or -1. */
function firstLineWith(isIn: (text: string) => boolean, text: string, from: number, required: string): number {
  for (let at = text.indexOf(required, from); at >= 0; ) {
    const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
    const end = text.indexOf('\n', at)
    if (isIn(text.slice(start, end < 0 ? text.length : end))) return start
    at = end < 0 ? -1 : text.indexOf(required, end)
  }
  return -1
}

/**
 * Returns a line start inside `[from, to)`: the first after the middle, else the last before it. Undefined if the range is a single line.
 */
function lineNear(text: string, from: number, to: number): number | undefined {
  const half = (from + to) >>> 1
  const after = text.indexOf('\n', half) + 1
  if (after > 0 && after < to) return after
  const before = half > from ? text.lastIndexOf('\n', half - 1) + 1 : from
  return before > from && before < to ? before : undefined
}

/** Cap of the estimate. Above it, the exact size does not matter. */
const MOST = 1e9

/**
 * Estimates the number of instructions after repetitions are expanded, without compiling, which takes seconds for the largest patterns.
 * Counts alternatives with a common prefix in full.
 */
function estimateProgramSize(source: string): number {
  const token =
    /\\Q[\s\S]*?(?:\\E|$)|\\[xpP]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]|\{\d+(?:,(\d*))?\}|\(\?[^:)]*[:)]|[\s\S]/g
  const outer: number[] = []
  // The size of the current group, and of its last atom, which a repetition copies.
  let size = 0
  let atom = 0
  for (const [text, upTo] of source.matchAll(token)) {
    if (text === ')' && outer.length > 0) {
      atom = size
      size += outer.pop() ?? 0
    } else if (text.startsWith('(') && !text.endsWith(')')) {
      outer.push(size)
      size = 0
      atom = 0
    } else if (/^\{\d/.test(text) && text.length > 1) {
      const count = Number(upTo || /\d+/.exec(text)?.[0])
      size = Math.min(MOST, size + atom * Math.max(0, count - 1))
      atom = Math.min(MOST, atom * Math.max(1, count))
    } else if (!/^[|?*+)]$/.test(text) && !text.startsWith('(?')) {
      atom = 1
      size += text.startsWith('\\Q') ? text.length : 1
    }
  }
  return outer.reduce((sum, before) => sum + before, size)
}

/** Approximate microseconds to compile a named class, the same when case is ignored, and a character whose other cases are looked up. */
const CLASS_COST = 100
const FOLDED_CLASS_COST = 300
const FOLD_COST = 0.15
/** The last code point that has another case. */
const LAST_FOLDED = 0x1e943

/** Estimates the microseconds to compile the classes of a pattern: named classes and, if case is ignored, long ranges. */
function estimateClassCost(source: string, ignoreCase: boolean): number {
  const folds = ignoreCase || /\(\?[a-zA-Z]*i/.test(source)
  const named = source.match(/\\[pP]/g)?.length ?? 0
  if (!folds) return named * CLASS_COST
  let folded = 0
  for (const [text] of source.matchAll(/\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]/g)) folded += foldedIn(text)
  return named * FOLDED_CLASS_COST + folded * FOLD_COST
}

function foldedIn(text: string): number {
  let count = 0
  const range = /(\\x\{[^}]*\}|\\x..|\\[0-7]{1,3}|\\?.)-(\\x\{[^}]*\}|\\x..|\\[0-7]{1,3}|\\?.)/gsu
  for (const [, from = '', to = ''] of text.matchAll(range)) count += Math.max(0, Math.min(LAST_FOLDED, codeOf(to)) - codeOf(from))
  return count
}

function codeOf(atom: string): number {
  const [, hex, octal] = /^\\(?:x\{?([0-9a-f]+)|([0-7]+))/i.exec(atom) ?? []
  if (hex !== undefined) return Number.parseInt(hex, 16)
  return octal === undefined ? (atom.codePointAt(atom.length > 1 && atom.startsWith('\\') ? 1 : 0) ?? 0) : Number.parseInt(octal, 8)
}
