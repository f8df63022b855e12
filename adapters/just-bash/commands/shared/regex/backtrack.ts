import { Failure } from '../failure.js'
import { type Dialect, emit } from './emit.js'
import type { Match } from './match.js'
import type { Alternatives, Node, Sequence } from './nodes.js'

/** Maximum number of steps of one search: about a tenth of a second. */
const MAX_TRIES = 3_000_000

export interface BacktrackOptions extends Pick<Dialect, 'unicode' | 'multiline'> {
  readonly groups: number
  readonly ignoreCase: boolean
  /** Sources of zero-width assertions that must hold before and after the whole match. */
  readonly before: string
  readonly behind: string
}

/** Matches the rest of the expression at a position. Returns the end of the whole match, or -1. */
type Next = (at: number) => number
type Part = (at: number, next: Next) => number

/**
 * A matcher for back references, which need backtracking. It counts its steps, because the engine of the runtime could run for hours and
 * cannot be stopped. Results equal those of that engine with one exception: as in POSIX, a group keeps its match from an earlier iteration
 * of a repetition.
 */
export function compileBacktracking(body: Alternatives, options: BacktrackOptions): (text: string, from: number) => Match | undefined {
  const { groups, ignoreCase, unicode, multiline, before, behind } = options
  const flags = `y${unicode ? 'u' : ''}${ignoreCase ? 'i' : ''}`
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  let tries = 0

  const tried = (): void => {
    if (++tries > MAX_TRIES) throw tooComplex()
  }
  const groupText = (index: number): string | undefined =>
    (starts[index] ?? -1) < 0 ? undefined : text.slice(starts[index] as number, ends[index] as number)
  const plain = (source: string): Next => {
    const regex = new RegExp(source, flags)
    return (at) => {
      tried()
      regex.lastIndex = at
      return regex.test(text) ? regex.lastIndex : -1
    }
  }
  const step = (source: string): Part => {
    const test = plain(source)
    return (at, next) => {
      const end = test(at)
      return end < 0 ? -1 : next(end)
    }
  }
  const alternatives = (options: Alternatives): Part => {
    const parts = options.map(sequence)
    return (at, next) => {
      for (const part of parts) {
        const end = part(at, next)
        if (end >= 0) return end
      }
      return -1
    }
  }
  const sequence = (nodes: Sequence): Part => nodes.map(partOf).reduce(both, (at, next) => next(at))
  const partOf = (node: Node): Part => {
    switch (node.kind) {
      case 'group':
        return group(node.index, alternatives(node.body))
      case 'back':
        return back(node.index)
      case 'repeat':
        return isPlain(node.node) ? repeatPlain(node) : repeat(node)
      default:
        return step(emit([[node]], { unicode, multiline, re2: false }))
    }
  }
  const group =
    (index: number, inner: Part): Part =>
    (at, next) =>
      inner(at, (end) => {
        const [oldStart, oldEnd] = [starts[index] ?? -1, ends[index] ?? -1]
        starts[index] = at
        ends[index] = end
        const found = next(end)
        if (found < 0) {
          starts[index] = oldStart
          ends[index] = oldEnd
        }
        return found
      })
  const back =
    (index: number): Part =>
    (at, next) => {
      const wanted = groupText(index) ?? ''
      tries += wanted.length >> 4
      tried()
      const there = text.slice(at, at + wanted.length)
      return there === wanted || (ignoreCase && there.toLowerCase() === wanted.toLowerCase()) ? next(at + wanted.length) : -1
    }
  /** Repeats a node that matches single characters: takes as many as possible, then fewer. */
  const repeatPlain = ({ node, min, max }: Extract<Node, { kind: 'repeat' }>): Part => {
    const test = plain(emit([[node]], { unicode, multiline, re2: false }))
    return (at, next) => {
      const stops = [at]
      for (let end = at; stops.length <= max; ) {
        const stop = test(end)
        if (stop < 0) break
        stops.push(stop)
        // Stop repeating after a match of no characters, which would repeat forever.
        if (stop === end) break
        end = stop
      }
      const enough = stops.length > 1 && stops.at(-1) === stops.at(-2) ? Math.min(min, 1) : min
      for (let taken = stops.length - 1; taken >= enough; taken--) {
        tried()
        const found = next(stops[taken] as number)
        if (found >= 0) return found
      }
      return -1
    }
  }
  const repeat = ({ node, min, max }: Extract<Node, { kind: 'repeat' }>): Part => {
    const inner = partOf(node)
    return (from, next) => {
      const turn = (count: number, at: number): number => {
        tried()
        if (count < max) {
          const found = inner(at, (end) => (end === at && count >= min ? -1 : turn(count + 1, end)))
          if (found >= 0) return found
        }
        return count >= min ? next(at) : -1
      }
      return turn(0, from)
    }
  }

  const all = both(both(step(before), alternatives(body)), step(behind))
  return (given, from) => {
    text = given
    tries = 0
    try {
      for (let at = from; at <= text.length; at += (text.codePointAt(at) ?? 0) > 0xffff && unicode ? 2 : 1) {
        starts.length = 0
        ends.length = 0
        const end = all(at, (stop) => stop)
        if (end < 0) continue
        const found = Array.from({ length: groups }, (_, i) => groupText(i + 1))
        return { index: at, end, groups: [text.slice(at, end), ...found] }
      }
      return undefined
    } catch (error) {
      // A RangeError means that the stack has overflowed.
      throw error instanceof RangeError ? tooComplex() : error
    } finally {
      text = ''
    }
  }
}

const both =
  (first: Part, second: Part): Part =>
  (at, next) =>
    first(at, (middle) => second(middle, next))

const isPlain = ({ kind }: Node): boolean => kind === 'char' || kind === 'any' || kind === 'set' || kind === 'edge'

const tooComplex = (): Failure => new Failure('Regular expression too complex for a line this long', 2)
