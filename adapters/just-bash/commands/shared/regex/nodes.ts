/** A parsed POSIX regular expression. */
export type Alternatives = readonly Sequence[]
export type Sequence = readonly Node[]

export type Node =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'set'; readonly negated: boolean; readonly parts: readonly SetPart[] }
  | { readonly kind: 'edge'; readonly at: Edge }
  | { readonly kind: 'group'; readonly index: number; readonly body: Alternatives }
  | { readonly kind: 'back'; readonly index: number }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly max: number }

export type Edge = 'begin' | 'end' | 'textBegin' | 'textEnd' | 'word' | 'inWord' | 'wordBegin' | 'wordEnd'

export type SetPart =
  | { readonly from: string; readonly to: string }
  /** A class: `alpha`, `digit` and so on, as in `[[:alpha:]]`, or `word`. */
  | { readonly name: string; readonly negated?: boolean }

export const isUnbounded = (node: Node): boolean => node.kind === 'repeat' && node.max === Number.POSITIVE_INFINITY
