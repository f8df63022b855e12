import { isLinear } from '../ops/regex/linear.js'
import { compileLongest } from '../ops/regex/longest.js'
import { parsePattern } from '../ops/regex/parse.js'

/** Tests whether a text matches. Returns undefined if the test would take too long. Subtracts the cost of the test from `work`. */
export type BoundedPattern = (text: string, work?: Work) => boolean | undefined

/** The remaining budget for all pattern tests of one input, in text characters times pattern characters. */
export interface Work {
  left: number
}

/** A budget of about 50 ms. */
export const newWork = (): Work => ({ left: 2_000_000 })
/** Fixed cost of calling RE2. */
const CALL = 4000
/** Maximum number of steps for which a backtracking engine is faster than a call of RE2. */
const FEW_STEPS = 500
/** Maximum steps of a backtracking engine: about 50 ms. */
const STEPS = 5_000_000

/**
 * Compiles the pattern of a JSON Schema (a JavaScript regular expression with the flag `u`) so that each test takes bounded time. Uses the
 * host's engine for patterns that it matches in linear time, else RE2. RE2 supports neither look-around nor back-references: look-ahead at
 * the start of a pattern is compiled separately, and all other such patterns are tested only against texts short enough for backtracking.
 */
export function boundPattern(source: string): BoundedPattern {
  const native = new RegExp(source, 'u')
  if (isNativelyLinear(source)) return (text) => native.test(text)
  const linear = inRe2(source)
  const short = longestTried(plain(source), FEW_STEPS)
  if (linear)
    return (text, work = newWork()) =>
      text.length <= short ? native.test(text) : spend(work, CALL + text.length * source.length) && linear.test(text)
  const parts = asserted(source)
  if (parts) {
    return (text, work = newWork()) => {
      for (const { pattern, fits } of parts) {
        const does = pattern(text, work)
        if (does !== fits) return does === undefined ? undefined : false
      }
      return true
    }
  }
  const longest = longestTried(plain(source), STEPS)
  return (text) => (text.length > longest ? undefined : native.test(text))
}

/** Whether the host's engine matches the pattern in linear time. */
export function isNativelyLinear(source: string): boolean {
  const parsed = parsePattern(source, { ignoreCase: false, lines: false })
  return parsed !== undefined && isLinear(parsed.options)
}

/** Subtracts a cost from the budget. Returns undefined if the budget is too small. */
export function spend(work: Work, cost: number): true | undefined {
  if (cost > work.left) return undefined
  work.left -= cost
  return true
}

interface Assertion {
  readonly pattern: BoundedPattern
  /** Whether the text must match (true) or must not match (false). */
  readonly fits: boolean
}

/**
 * Splits a pattern with look-ahead at its start: `^(?=a)(?!b)c` into `^a`, not `^b`, and `^c`. Undefined if the pattern has no look-ahead
 * at its start, or has alternatives.
 */
function asserted(source: string): readonly Assertion[] | undefined {
  if (!source.startsWith('^(?=') && !source.startsWith('^(?!')) return undefined
  const parts: Assertion[] = []
  let at = 1
  for (let sign = source.slice(at, at + 3); sign === '(?=' || sign === '(?!'; sign = source.slice(at, at + 3)) {
    const end = groupEnd(source, at)
    if (end === undefined) return undefined
    parts.push({ pattern: boundPattern(`^(?:${source.slice(at + 3, end)})`), fits: sign === '(?=' })
    at = end + 1
  }
  const rest = source.slice(at)
  if (/^[*+?{]/.test(rest) || /\\[1-9k]/.test(source) || hasChoice(rest)) return undefined
  return [...parts, { pattern: boundPattern(`^${rest}`), fits: true }]
}

/** Returns the index of the parenthesis that closes the group at `start`. */
function groupEnd(source: string, start: number): number | undefined {
  let depth = 0
  for (const { 0: token, index } of source.slice(start).matchAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]])*\]|[()]/g)) {
    depth += token === '(' ? 1 : token === ')' ? -1 : 0
    if (depth === 0 && token === ')') return start + index
  }
  return undefined
}

/** Whether the pattern has a `|` outside of groups. */
function hasChoice(source: string): boolean {
  let depth = 0
  for (const char of plain(source)) {
    depth += char === '(' ? 1 : char === ')' ? -1 : 0
    if (char === '|' && depth === 0) return true
  }
  return false
}

/** Returns the length of the longest text that a backtracking engine tests within `steps` steps. */
function longestTried(bare: string, steps: number): number {
  // A repeated group may be ambiguous: then each character can double the steps.
  if (/\)(?:[*+]|\{\d+,?\d*\})/.test(bare)) return Math.floor(Math.log2(steps))
  const repeats = bare.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0
  const choices = bare.match(/[|]|[^(*+?}]\?|\)\?/g)?.length ?? 0
  // Add 1 to the repeats, because the engine tries to match from each character.
  return Math.floor((steps / 2 ** choices) ** (1 / (repeats + 1)))
}

function inRe2(source: string): { test(text: string): boolean } | undefined {
  const translated = toRe2(source)
  try {
    return translated === undefined ? undefined : compileLongest(translated, false)
  } catch {
    // RE2 rejects counts above 1,000 and unknown class names.
    return undefined
  }
}

const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const TOKEN =
  /\\u\{([0-9a-f]+)\}|\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\c([a-z])|\\([pP])\{([^}]*)\}|\\[\s\S]|\(\?<\w+>|\(\?:|\(\?|[\s\S]/giu

/** Translates the pattern to RE2 syntax with the same meaning; undefined if RE2 cannot express it. */
function toRe2(source: string): string | undefined {
  let out = ''
  let inClass = false
  for (const [token, wide, high, low, unit, control, property, name = ''] of source.matchAll(TOKEN)) {
    const code = wide ?? unit ?? (control && (control.charCodeAt(0) % 32).toString(16)) ?? pair(high, low)
    let next: string | undefined = token
    if (code !== undefined) next = /^d[89a-f]/i.test(code) && code.length === 4 ? undefined : `\\x{${code}}`
    else if (property) next = `\\${property}{${name.replace(/^(?:sc|Script|gc|General_Category)=/, '')}}`
    else if (/^\\[1-9k]$/.test(token) || token === '(?') next = undefined
    else if (token === '\\0') next = '\\x00'
    else if (token === '\\s') next = inClass ? SPACE : `[${SPACE}]`
    else if (token === '\\S') next = inClass ? undefined : `[^${SPACE}]`
    else if (inClass) next = token === '[' ? '\\[' : token === '\\b' ? '\\x08' : token
    else if (token === '(' || token.startsWith('(?<')) next = '(?:'
    else next = { '.': '[^\\n\\r\\x{2028}\\x{2029}]', '^': '\\A', $: '\\z' }[token] ?? token
    if (next === undefined) return undefined
    if (token === '[') inClass = true
    else if (token === ']') inClass = false
    out += next
  }
  // `[]` and `[^]` have another meaning in RE2.
  return /\[\^?\]/.test(plain(source, false)) ? undefined : out
}

function pair(high: string | undefined, low: string | undefined): string | undefined {
  if (high === undefined || low === undefined) return undefined
  return (((Number.parseInt(high, 16) - 0xd800) << 10) + Number.parseInt(low, 16) - 0xdc00 + 0x10000).toString(16)
}

/** Replaces escapes and, by default, character classes in a pattern by `_`. */
function plain(source: string, classes = true): string {
  const bare = source.replace(/\\[\s\S]/g, '_')
  return classes ? bare.replace(/\[[^\]]*\]/g, '_') : bare
}
