import { ALL, type CharSet, NEWLINE, only, without } from '../char-set.js'
import { type AltNode, type Item, isNullable, isRun, isUnbounded, once, type Seq } from './ast.js'
import { isLinear } from './linear.js'

/** How to search for a pattern without re2js. */
export type Plan =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'chain'
      /** The pieces of the pattern, each with its alternatives. The pieces follow each other in one line, with any text in between. */
      readonly pieces: readonly (readonly Seq[])[]
      /** A match begins at the start of its line, because the pattern begins with `.*`. */
      readonly fromLineStart: boolean
      /** A match begins up to `max` characters of this set before the first piece. */
      readonly before?: { readonly set: CharSet; readonly max: number }
    }

const DOT = without(ALL, NEWLINE)

/**
 * Returns a plan for a pattern that can be searched in time linear in the text, with a small constant for every text; otherwise undefined.
 *
 * Only two results matter: whether a line matches, and where its leftmost match begins. This allows three exact rewritings:
 *
 * 1. A quantified item at the end, or next to `.*`, needs only its minimum count: `foo\w+` becomes `foo\w`.
 * 2. A quantified character at the start needs only its minimum count; the match then extends to the left over the characters
 *    of its set: `\s+$` becomes `\s$`. (With `X{m,n}Y`, the leftmost `X{m}Y` extended by at most `n - m` is the leftmost match.)
 * 3. `P.*Q` is the first P in a line, then Q anywhere after it in that line. If there is no such Q, no later P of the line has one,
 *    because a later P ends later. This requires that P has one width, or only one start (`^`) and one end.
 *
 * The rewritten pattern has to pass `isLinear`. With `lines` off, the end of a match matters too, and nothing is rewritten.
 */
export function planSearch(alt: AltNode, lines: boolean): Plan | undefined {
  const text = literalText(alt)
  if (text !== undefined) return { kind: 'literal', text }
  const [first, ...others] = alt.options
  if (!first) return undefined
  if (!lines)
    return isLinear(alt.options) && alt.options.every(hasPlainEnds)
      ? { kind: 'chain', pieces: [alt.options], fromLineStart: false }
      : undefined
  if (others.length === 0) return planSequence(first)
  const options = alt.options.map(trimEnd)
  return isLinear(options) ? { kind: 'chain', pieces: [options], fromLineStart: false } : undefined
}

/** Whether all engines agree about the start of every match. Engines differ in where repeated nullable items end. */
function hasPlainEnds(seq: Seq): boolean {
  return seq.every(
    ({ node, max }) => node.kind !== 'alt' || (node.options.every(hasPlainEnds) && (max === 1 || !node.options.some(isNullable))),
  )
}

/** Returns the text that the pattern matches, if it matches only one; otherwise undefined. */
function literalText({ options }: AltNode): string | undefined {
  const [seq, ...others] = options
  if (!seq || seq.length === 0 || others.length > 0) return undefined
  let out = ''
  for (const { node, min, max } of seq) {
    const code = node.kind === 'char' && min === 1 && max === 1 ? only(node.set) : undefined
    if (code === undefined) return undefined
    out += String.fromCodePoint(code)
  }
  return out
}

function planSequence(seq: Seq): Plan | undefined {
  const parts = splitAtGaps(seq)
  const trimmed = parts.map((part, i) => (i > 0 ? trimStart(trimEnd(part)) : trimEnd(part)))
  // If the first part is optional, a match begins at the start of its line. Adjacent gaps become one gap.
  const head = trimmed.length > 1 && trimmed[0]?.length === 0
  const filled = trimmed.filter((piece) => piece.length > 0)
  const pieces = filled.length > 0 ? filled : [[]]
  const start = head ? undefined : leading(pieces[0] ?? [])
  if (start) pieces[0] = start.rest
  const chain = pieces.every((piece, i) => isLinear([piece]) && (i === pieces.length - 1 || endsOnce(piece, i === 0)))
  if (!chain) return undefined
  const shape = { kind: 'chain', pieces: pieces.map((piece) => [piece]), fromLineStart: head } as const
  return start ? { ...shape, before: start.before } : shape
}

/** Splits the sequence at every `.*`. The one character that `.+` requires becomes the start of the next part. */
function splitAtGaps(seq: Seq): Seq[] {
  const parts: Item[][] = [[]]
  for (const item of seq) {
    const current = parts[parts.length - 1]
    if (!isRun(item) || !isDot(item.node.set)) current?.push(item)
    else parts.push(item.min === 0 ? [] : [{ ...item, max: item.min }])
  }
  return parts
}

function isDot(set: CharSet): boolean {
  return set.length === DOT.length && set.every((code, i) => code === DOT[i])
}

/** Applies rewriting 1 (see `planSearch`) at the end of a sequence. */
function trimEnd(seq: Seq): Seq {
  const rest = seq.slice(0, -1)
  const item = seq[seq.length - 1]
  if (!item || item.node.kind === 'edge') return seq
  if (item.min === 0) return trimEnd(rest)
  const least = { ...item, max: item.min }
  if (least.node.kind === 'alt' && least.min === 1) return [...rest, once({ kind: 'alt', options: least.node.options.map(trimEnd) })]
  return [...rest, least]
}

/** Applies rewriting 1 (see `planSearch`) after `.*`. */
function trimStart(seq: Seq): Seq {
  const [item, ...rest] = seq
  if (!item || item.node.kind === 'edge') return seq
  if (item.min === 0) return trimStart(rest)
  return [{ ...item, max: item.min }, ...rest]
}

/** Applies rewriting 2 (see `planSearch`). Undefined if the rewriting does not apply. */
function leading(seq: Seq): { readonly rest: Seq; readonly before: { readonly set: CharSet; readonly max: number } } | undefined {
  const [item, ...rest] = seq
  if (item?.node.kind !== 'char' || item.max === item.min) return undefined
  return { rest: item.min === 0 ? rest : [{ ...item, max: item.min }, ...rest], before: { set: item.node.set, max: item.max - item.min } }
}

/** For rewriting 3 (see `planSearch`): whether the first match of a piece is also the match that ends first. */
function endsOnce(seq: Seq, first: boolean): boolean {
  if (seq.every(hasOneWidth)) return true
  const [edge, ...rest] = seq
  const anchored = first && edge?.node.kind === 'edge' && edge.node.at === 'start'
  return anchored && isLinear([seq], { oneEnd: true }) && rest.every((item) => hasOneWidth(item) || isRun(item))
}

function hasOneWidth(item: Item): boolean {
  return item.node.kind === 'edge' || (item.min === item.max && !isUnbounded(item) && width(item.node) !== undefined)
}

/** Returns the number of code points that a node matches, if the number is fixed; otherwise undefined. */
function width(node: Item['node']): number | undefined {
  if (node.kind !== 'alt') return node.kind === 'char' ? 1 : 0
  const widths = new Set(node.options.map(sequenceWidth))
  const [one] = widths
  return widths.size === 1 ? one : undefined
}

function sequenceWidth(seq: Seq): number | undefined {
  let total = 0
  for (const { node, min, max } of seq) {
    const each = width(node)
    if (each === undefined || min !== max || max === Number.POSITIVE_INFINITY) return undefined
    total += each * min
  }
  return total
}
