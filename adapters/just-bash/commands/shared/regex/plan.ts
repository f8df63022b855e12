import { type Alternatives, isUnbounded, type Node, type Sequence, type SetPart } from './nodes.js'

export interface Plan {
  /** Whether a backtracking engine may find a shorter match than the longest one, which POSIX requires. */
  readonly ambiguous: boolean
  /** Whether a backtracking engine may take exponential time. */
  readonly explosive: boolean
  /** Worst-case time grows with the length of the text to this power. */
  readonly power: number
  readonly backReferences: boolean
}

export function planOf(body: Alternatives): Plan {
  const anchored = body.every(([first]) => first?.kind === 'edge' && first.at === 'begin')
  return {
    ambiguous: isAmbiguous(body),
    explosive: some(body, explodes),
    power: openRepeats(body) + (anchored ? 0 : 1),
    backReferences: some(body, ({ kind }) => kind === 'back'),
  }
}

/** Whether a repetition with many iterations contains another repetition or alternatives. */
function explodes(node: Node): boolean {
  if (node.kind !== 'repeat' || node.max < 10) return false
  const inner: Sequence = [node.node]
  return some([inner], (each) => each.kind === 'repeat' && each.max > 1) || isAmbiguous([inner])
}

function isAmbiguous(body: Alternatives): boolean {
  return (body.length > 1 && overlaps(body)) || body.some((sequence) => sequence.some((node) => below(node).some(isAmbiguous)))
}

/** Whether two of the alternatives may begin with the same character. False if all alternatives have the same length. */
function overlaps(options: Alternatives): boolean {
  const lengths = new Set(options.map((option) => (option.every(({ kind }) => kind === 'char') ? option.length : Number.NaN)))
  if (lengths.size === 1 && !lengths.has(Number.NaN)) return false
  const seen = new Set<string>()
  for (const option of options) {
    const first = firstOf(option)
    if (first === undefined) return true
    for (const char of first) {
      if (seen.has(char)) return true
      seen.add(char)
    }
  }
  return false
}

/** Returns the possible first characters in lower case. Undefined if any character is possible or the sequence may be empty. */
function firstOf([first, ...rest]: Sequence): ReadonlySet<string> | undefined {
  if (!first) return undefined
  if (first.kind === 'char') return new Set([first.char.toLowerCase()])
  if (first.kind === 'edge') return firstOf(rest)
  if (first.kind === 'repeat') return first.min > 0 ? firstOf([first.node]) : undefined
  if (first.kind !== 'set' || first.negated) return undefined
  const chars = new Set<string>()
  for (const part of first.parts) {
    if (!('from' in part)) return undefined
    const [from, to] = [part.from.codePointAt(0) as number, part.to.codePointAt(0) as number]
    if (to - from > 256) return undefined
    for (let code = from; code <= to; code++) chars.add(String.fromCodePoint(code).toLowerCase())
  }
  return chars
}

function below(node: Node): readonly Alternatives[] {
  if (node.kind === 'group') return [node.body]
  return node.kind === 'repeat' ? [[[node.node]]] : []
}

function some(body: Alternatives, test: (node: Node) => boolean): boolean {
  return body.some((sequence) => sequence.some((node) => test(node) || below(node).some((inner) => some(inner, test))))
}

/** Counts the unbounded repetitions that may end at several positions. */
function openRepeats(body: Alternatives): number {
  let sum = 0
  for (const sequence of body) {
    for (const [i, node] of sequence.entries()) {
      const isOpen = isUnbounded(node) && !endsAt(node, sequence[i + 1])
      sum += (isOpen ? 1 : 0) + below(node).reduce((all, inner) => all + openRepeats(inner), 0)
    }
  }
  return sum
}

/** Whether a repetition can end only at the next character: `[^,]*,`. */
function endsAt(repeat: Node, next: Node | undefined): boolean {
  if (repeat.kind !== 'repeat' || next?.kind !== 'char') return false
  const { node } = repeat
  const chars = [next.char.toLowerCase(), next.char.toUpperCase()]
  if (node.kind === 'char') return !chars.includes(node.char.toLowerCase()) && !chars.includes(node.char.toUpperCase())
  if (node.kind !== 'set') return false
  return node.parts.every((part) => 'from' in part) && chars.every((char) => isIn(char, node.parts) === node.negated)
}

const isIn = (char: string, parts: readonly SetPart[]): boolean =>
  parts.some((part) => 'from' in part && part.from <= char && char <= part.to)
