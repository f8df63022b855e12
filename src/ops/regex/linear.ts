import { type CharSet, intersects, NEWLINE, NONE, negate, union, WORD } from '../char-set.js'
import { type EdgeNode, type Item, isNullable, isRun, isUnbounded, type Seq } from './ast.js'

// Beyond these re2js, which never looks at a character twice, is the faster one.
const MAX_WAYS = 12
const MAX_STEPS = 1024
const MANY = 1e6
const NOT_WORD = negate(WORD)

/**
 * Whether a backtracking engine searches a text for one of these sequences in time linear in the text, with a small constant.
 *
 * Without unbounded quantifiers an attempt at one place takes a bounded number of steps: `cost` counts the ways to match, and how
 * far they reach. With unbounded quantifiers, all of them on single characters ("runs"), it is linear when
 *
 * - a run ends at one place: what follows it cannot begin with a character of the run. Going back into the run then fails at once, so
 *   an attempt takes time proportional to what it read. The last run needs none of this: what follows it is bounded.
 * - a run begins at one place: what is before it cannot be empty and cannot end with a character of the run. The run then
 *   begins where the characters of its set begin, so that only a bounded number of attempts ever reads one run: those that begin at
 *   the bounded distances in front of it. Or the sequence begins with `^` and cannot leave its line, which allows one attempt a line;
 *   or it begins with `\b` and is in one word up to the run, which allows one attempt a word.
 *
 * `oneEnd` asks the first of the last run as well: a match from one place then has one end.
 */
export function isLinear(options: readonly Seq[], { oneEnd = false }: { readonly oneEnd?: boolean } = {}): boolean {
  const { ways, steps } = total(options.map(cost))
  return ways <= MAX_WAYS && steps <= MAX_STEPS && options.every((seq) => areRunsSafe(seq, oneEnd))
}

function areRunsSafe(seq: Seq, oneEnd: boolean): boolean {
  const anchored = isEdge(seq[0], 'start') && !seq.some(crossesLines)
  const lastRun = seq.findLastIndex(isRun)
  return seq.every((item, i) => {
    if (!isUnbounded(item)) return true
    if (!isRun(item)) return false
    const before = seq.slice(0, i)
    const after = seq.slice(i + 1)
    const beginsOnce = anchored || staysInWord(seq.slice(0, i + 1)) || (!isNullable(before) && !intersects(lastOf(before), item.node.set))
    // Behind nothing but edges, like `\b`, a shorter run may do as well.
    const endsOnce = !intersects(firstOf(after), item.node.set) && (!oneEnd || !isNullable(after))
    return beginsOnce && (endsOnce || (i === lastRun && !oneEnd))
  })
}

function isEdge(item: Item | undefined, at: EdgeNode['at']): boolean {
  return item?.node.kind === 'edge' && item.node.at === at
}

function crossesLines({ node }: Item): boolean {
  if (node.kind === 'alt') return node.options.some((seq) => seq.some(crossesLines))
  return node.kind === 'char' && intersects(node.set, NEWLINE)
}

/** `\b`, at least one character of a word, and nothing else than characters of a word. */
function staysInWord([edge, ...rest]: Seq): boolean {
  const [first] = rest
  return (
    isEdge(edge, 'word') &&
    first !== undefined &&
    first.min > 0 &&
    rest.every(({ node }) => node.kind === 'char' && !intersects(node.set, NOT_WORD))
  )
}

/** Every character that a match of the sequence may begin with. */
function firstOf(seq: Seq): CharSet {
  let out = NONE
  for (const item of seq) {
    out = union(out, charsOf(item, firstOf))
    if (!isNullable([item])) break
  }
  return out
}

/** Every character that a match of the sequence may end with. */
function lastOf(seq: Seq): CharSet {
  let out = NONE
  for (const item of seq.toReversed()) {
    out = union(out, charsOf(item, lastOf))
    if (!isNullable([item])) break
  }
  return out
}

function charsOf({ node, max }: Item, side: (seq: Seq) => CharSet): CharSet {
  if (max === 0 || node.kind === 'edge') return NONE
  return node.kind === 'char' ? node.set : node.options.map(side).reduce(union, NONE)
}

interface Cost {
  /** Ways to match at one place. */
  readonly ways: number
  /** Characters that all of them look at. */
  readonly steps: number
}

/** Characters that an attempt at one place looks at, at the most, runs counted as one. */
export function attemptSteps(options: readonly Seq[]): number {
  return total(options.map(cost)).steps
}

function total(costs: readonly Cost[]): Cost {
  return { ways: costs.reduce((sum, { ways }) => sum + ways, 0), steps: costs.reduce((sum, { steps }) => sum + steps, 0) }
}

function cost(seq: Seq): Cost {
  let ways = 1
  let steps = 0
  for (const item of seq) {
    const next = itemCost(item)
    steps = Math.min(MANY, steps + ways * next.steps)
    ways = Math.min(MANY, ways * next.ways)
  }
  return { ways, steps }
}

function itemCost({ node, min, max }: Item): Cost {
  if (node.kind === 'edge') return { ways: 1, steps: 1 }
  if (node.kind === 'char')
    return max === Number.POSITIVE_INFINITY ? { ways: 1, steps: min + 1 } : { ways: max - min + 1, steps: Math.max(1, max) }
  if (max === Number.POSITIVE_INFINITY) return { ways: MANY, steps: MANY }
  const one = total(node.options.map(cost))
  return repeated(one, min, max)
}

function repeated(one: Cost, min: number, max: number): Cost {
  let ways = min === 0 ? 1 : 0
  let steps = 1
  let reach = 1
  for (let count = 1; count <= max && steps < MANY; count++) {
    steps += reach * one.steps
    reach = Math.min(MANY, reach * one.ways)
    if (count >= min) ways = Math.min(MANY, ways + reach)
  }
  return { ways, steps: Math.min(MANY, steps) }
}
