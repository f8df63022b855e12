import { type CharSet, isWide, negate, only } from '../char-set.js'
import type { AltNode, Item, Seq } from './ast.js'

const EDGES = {
  // Not the flag `m`, for which U+2028, U+2029 and a carriage return end a line too. Not `(?![^\n])`: with the flag `u`, V8 finds that
  // to hold between the halves of a surrogate pair.
  start: '(?<=^|\\n)',
  end: '(?=$|\\n)',
  word: '\\b',
} as const

/** The source and flags of the JavaScript regular expression for these sequences. `suffix` is added as one more alternative. */
export function toRegExp(options: readonly Seq[], suffix = ''): RegExp {
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
  // The shorter of the two spellings: `[^\n]` and not its two ranges.
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
