import { ALL, type CharSet, has, NEWLINE, NONE, union } from '../char-set.js'
import type { AltNode, Item } from './ast.js'

const LINE_BREAK = 10

/** How far a match may go beyond the line where it begins. */
export interface Span {
  /** Line breaks that a match holds at the most beside those of its loops. */
  readonly breaks: number
  /** Repetitions without an upper bound that may hold line breaks. */
  readonly loops: number
  /** What those repeat. */
  readonly set: CharSet
}

export const ONE_LINE: Span = { breaks: 0, loops: 0, set: NONE }
/** Of a pattern that nothing is known of. */
export const ANY_SPAN: Span = { breaks: 0, loops: 1, set: ALL }

/** Of alternatives, the sum: that is enough for a bound. */
export function spanOf({ options }: AltNode): Span {
  return options.flat().map(spanOfItem).reduce(sum, ONE_LINE)
}

function spanOfItem({ node, max }: Item): Span {
  if (node.kind === 'edge' || max === 0) return ONE_LINE
  const once = node.kind === 'alt' ? spanOf(node) : has(node.set, LINE_BREAK) ? { breaks: 1, loops: 0, set: NONE } : ONE_LINE
  if (once.breaks + once.loops === 0) return ONE_LINE
  if (max === Number.POSITIVE_INFINITY) return { breaks: 0, loops: 1, set: charactersOf(node) }
  return { breaks: once.breaks * max, loops: once.loops * max, set: once.set }
}

const sum = (a: Span, b: Span): Span => ({ breaks: a.breaks + b.breaks, loops: a.loops + b.loops, set: union(a.set, b.set) })

function charactersOf(node: Item['node']): CharSet {
  if (node.kind === 'edge') return NONE
  return node.kind === 'char'
    ? node.set
    : node.options
        .flat()
        .map((item) => charactersOf(item.node))
        .reduce(union, NEWLINE)
}
