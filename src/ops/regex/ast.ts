import type { CharSet } from '../char-set.js'

/** Matches one code point of the set. */
export interface CharNode {
  readonly kind: 'char'
  readonly set: CharSet
}

/** Matches a position and no character. `start` and `end` are those of a line. */
export interface EdgeNode {
  readonly kind: 'edge'
  readonly at: 'start' | 'end' | 'word'
}

/** Matches one of the sequences: a group, or the whole pattern. */
export interface AltNode {
  readonly kind: 'alt'
  readonly options: readonly Seq[]
}

export interface Item {
  readonly node: CharNode | EdgeNode | AltNode
  readonly min: number
  /** `Infinity` if unbounded. */
  readonly max: number
  readonly lazy: boolean
}

export type Seq = readonly Item[]

export function once(node: Item['node']): Item {
  return { node, min: 1, max: 1, lazy: false }
}

/** Whether the item is a `char` without an upper bound. */
export function isRun(item: Item): item is Item & { readonly node: CharNode } {
  return item.max === Number.POSITIVE_INFINITY && item.node.kind === 'char'
}

/** Whether the item contains an unbounded quantifier. */
export function isUnbounded(item: Item): boolean {
  if (item.max === Number.POSITIVE_INFINITY) return true
  return item.node.kind === 'alt' && item.node.options.some((seq) => seq.some(isUnbounded))
}

export function isNullable(seq: Seq): boolean {
  return seq.every(({ node, min }) => min === 0 || node.kind === 'edge' || (node.kind === 'alt' && node.options.some(isNullable)))
}
