import { type CharSet, has, isWide, negate, only } from '../char-set.js'
import type { AltNode, Item, Seq } from './ast.js'
import type { LineMatcher } from './line-matcher.js'
import { attemptSteps } from './linear.js'
import type { Plan } from './plan.js'

// Characters to search at once. A character takes about ten nanoseconds in the worst case.
const SLICE = 1 << 18
// Maximum characters of a line. A pattern takes up to 20 ms for this many.
const LONGEST_LINE = 1 << 20
// Patterns with more steps per position get lower limits.
const FEW_STEPS = 8
const NEWLINE = 10

type Chain = Extract<Plan, { kind: 'chain' }>

/** Searches with JavaScript regular expressions, one per piece of the chain. */
export function createNativeMatcher(
  chain: Chain,
  shared: Pick<LineMatcher, 'multiline' | 'seesReturns' | 'span' | 'required'>,
): LineMatcher {
  const [first = [[]], ...rest] = chain.pieces
  const head = toRegExp(first)
  // Let each expression also match a line break, so that a line without a match does not make the expression read the whole text.
  const tail = rest.map((piece) => toRegExp(piece, '\\n'))
  const { before, fromLineStart } = chain
  const steps = chain.pieces.reduce((sum, piece) => sum + attemptSteps(piece), 0)
  const slower = Math.max(1, steps / FEW_STEPS) * (shared.multiline ? 2 : 1)
  let end = 0

  const search = (text: string, from: number): number => {
    let at = from
    while (at <= text.length) {
      head.lastIndex = at
      const found = head.exec(text)
      if (!found) return -1
      end = found.index + found[0].length
      if (tail.length === 0 || followsInLine(text, tail, end)) return beginning(text, found.index)
      const lineEnd = text.indexOf('\n', found.index)
      if (lineEnd < 0) return -1
      at = lineEnd + 1
    }
    return -1
  }

  const beginning = (text: string, at: number): number => {
    if (fromLineStart) return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
    return before ? extendLeft(text, at, before.set, before.max) : at
  }

  return {
    engine: 'native',
    ...shared,
    slice: Math.floor(SLICE / slower),
    longestLine: Math.floor(LONGEST_LINE / slower),
    reach: Number.POSITIVE_INFINITY,
    search,
    get end() {
      return end
    },
  }
}

/** Whether the pieces match one after another from `from` on, before the line ends. */
function followsInLine(text: string, pieces: readonly RegExp[], from: number): boolean {
  let at = from
  for (const piece of pieces) {
    piece.lastIndex = at
    if (!piece.test(text)) return false
    const end = piece.lastIndex
    if (end > at && text.charCodeAt(end - 1) === NEWLINE) return false
    at = end
  }
  return true
}

function extendLeft(text: string, from: number, set: CharSet, max: number): number {
  let at = from
  for (let count = 0; count < max && at > 0; count++) {
    const low = text.charCodeAt(at - 1)
    const paired = low >= 0xdc00 && low <= 0xdfff && at > 1
    const code = paired ? (text.codePointAt(at - 2) ?? low) : low
    if (!has(set, code)) break
    at -= code > 0xffff ? 2 : 1
  }
  return at
}

const EDGES = {
  // Not the flag `m`, for which U+2028, U+2029 and a carriage return also end a line. Not `(?![^\n])`: with the flag `u`, it matches
  // between the halves of a surrogate pair in V8.
  start: '(?<=^|\\n)',
  end: '(?=$|\\n)',
  word: '\\b',
} as const

/** Creates the JavaScript regular expression for these sequences, with `suffix` as an additional alternative. */
function toRegExp(options: readonly Seq[], suffix = ''): RegExp {
  const body = options.map(sequence).join('|')
  return new RegExp(suffix ? `${options.length > 1 ? `(?:${body})` : body}|${suffix}` : body, options.some(hasWide) ? 'gu' : 'g')
}

function hasWide(seq: Seq): boolean {
  return seq.some(({ node }) => (node.kind === 'char' ? isWide(node.set) : node.kind === 'alt' && node.options.some(hasWide)))
}

function sequence(seq: Seq): string {
  return seq.map(item).join('')
}

function item({ node, min, max, lazy }: Item): string {
  return atom(node) + quantifier(min, max) + (lazy && min !== max ? '?' : '')
}

function atom(node: Item['node']): string {
  if (node.kind === 'edge') return EDGES[node.at]
  return node.kind === 'char' ? charClass(node.set) : group(node)
}

function group(node: AltNode): string {
  return `(?:${node.options.map(sequence).join('|')})`
}

function quantifier(min: number, max: number): string {
  if (min === 1 && max === 1) return ''
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}

function charClass(set: CharSet): string {
  const code = only(set)
  if (code !== undefined) return spell(code)
  // Use the shorter spelling: `[^\n]` instead of its two ranges.
  const complement = negate(set)
  return isWide(set) && complement.length < set.length + 2 ? `[^${ranges(complement)}]` : `[${ranges(set)}]`
}

function ranges(set: CharSet): string {
  let out = ''
  for (let i = 0; i + 1 < set.length; i += 2) {
    const lo = set[i] ?? 0
    const hi = set[i + 1] ?? 0
    out += lo === hi ? spell(lo) : `${spell(lo)}-${spell(hi)}`
  }
  return out
}

function spell(code: number): string {
  const char = String.fromCodePoint(code)
  if (/[0-9A-Za-z_]/.test(char)) return char
  const hex = code.toString(16)
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}
