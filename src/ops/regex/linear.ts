import { type CharSet, intersects, NEWLINE, NONE, negate, union, WORD } from '../char-set.js'
import { type EdgeNode, type Item, isNullable, isRun, isUnbounded, type Seq } from './ast.js'

// Maximum number of ways to match at one position. With more ways, re2js is faster, because it never reads a character twice.
const MAX_WAYS = 12
const MAX_STEPS = 1024
const MANY = 1e6
const NOT_WORD = negate(WORD)

/**
 * Whether a backtracking engine searches for these sequences in time linear in the text, with a small constant.
 *
 * Without unbounded quantifiers an attempt at one position takes a bounded number of steps: `cost` counts the ways to match, and their
 * reach. If all unbounded quantifiers are on single characters ("runs"), the search is linear if for every run
 *
 * - the run ends at one position: the part after it cannot begin with a character of the run. Backtracking into the run then fails at once,
 *   so an attempt takes time proportional to the characters that it read. The last run does not need this, because the part after it is
 *   bounded.
 * - the run begins at one position: the part before it cannot be empty and cannot end with a character of the run. The run then
 *   begins where the characters of its set begin, so only a bounded number of attempts reads a run: those that begin at
 *   bounded distances before it. Or the sequence begins with `^` and cannot leave its line, which allows one attempt per line.
 *   Or it begins with `\b` and stays in one word up to the run, which allows one attempt per word.
 *
 * `oneEnd` requires the first condition for the last run too: a match from one position then has only one end.
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
    // If only zero-width assertions such as `\b` follow, a shorter run may match as well.
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

/** Whether the sequence is `\b` followed only by items that match word characters, of which the first is required. */
function staysInWord([edge, ...rest]: Seq): boolean {
  const [first] = rest
  return (
    isEdge(edge, 'word') &&
    first !== undefined &&
    first.min > 0 &&
    rest.every(({ node }) => node.kind === 'char' && !intersects(node.set, NOT_WORD))
  )
}

/** Returns the characters with which a match of the sequence may begin. */
function firstOf(seq: Seq): CharSet {
  let out = NONE
  for (const item of seq) {
    out = union(out, charsOf(item, firstOf))
    if (!isNullable([item])) break
  }
  return out
}

/** Returns the characters with which a match of the sequence may end. */
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
  /** Number of ways to match at one position. */
  readonly ways: number
  /** Number of characters that all ways together read. */
  readonly steps: number
}

/** Returns the maximum number of characters that an attempt at one position reads. A run counts as one character. */
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
