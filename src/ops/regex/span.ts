import { ALL, type CharSet, has, NEWLINE, NONE, union } from '../char-set.js'
import type { AltNode, Item } from './ast.js'

const LINE_BREAK = 10

/** How far a match may extend beyond the line on which it begins. */
export interface Span {
  /** Maximum number of line breaks in a match outside of unbounded repetitions (`loops`). */
  readonly breaks: number
  /** Number of unbounded repetitions that may contain line breaks. */
  readonly loops: number
  /** The characters that these repetitions repeat. */
  readonly set: CharSet
}

export const ONE_LINE: Span = { breaks: 0, loops: 0, set: NONE }
/** The span of an unknown pattern. */
export const ANY_SPAN: Span = { breaks: 0, loops: 1, set: ALL }

/** Returns the span of a pattern. For alternatives, adds up their spans, which is a sufficient bound. */
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
