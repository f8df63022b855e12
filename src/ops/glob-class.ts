import { type CharSet, charSet, negate } from './char-set.js'

// Named classes. They contain only ASCII characters, as in git.
const POSIX: Readonly<Record<string, CharSet>> = {
  alnum: [48, 57, 65, 90, 97, 122],
  alpha: [65, 90, 97, 122],
  blank: [9, 9, 32, 32],
  cntrl: [0, 31, 127, 127],
  digit: [48, 57],
  graph: [33, 126],
  lower: [97, 122],
  print: [32, 126],
  punct: [33, 47, 58, 64, 91, 96, 123, 126],
  space: [9, 13, 32, 32],
  upper: [65, 90],
  xdigit: [48, 57, 65, 70, 97, 102],
}

const UNKNOWN = /\[:[^\]]*:\]/y

export interface ParsedClass {
  readonly set: CharSet
  /** The index after the closing bracket. */
  readonly end: number
}

/**
 * Parses the class that begins with the `[` at `at`. Returns undefined if the class is not closed, so that the bracket is literal. A `]`
 * directly after `[`, `[!` or `[^` is a member. A reversed range is empty; with `asGit` it contains its first character. `asGit` also
 * rejects unknown names in `[:name:]`.
 */
export function parseClass(source: string, at: number, asGit = false): ParsedClass | undefined {
  // A fast check for many unclosed brackets.
  if (!source.includes(']', at)) return undefined
  const negated = source[at + 1] === '!' || source[at + 1] === '^'
  const begin = at + (negated ? 2 : 1)
  const ranges: number[] = []
  for (let i = begin; i < source.length; ) {
    if (source[i] === ']' && i > begin) return { set: negated ? negate(charSet(ranges)) : charSet(ranges), end: i + 1 }
    const posix = posixAt(source, i)
    if (posix) {
      ranges.push(...posix.set)
      i = posix.end
      continue
    }
    UNKNOWN.lastIndex = i
    if (asGit && UNKNOWN.test(source)) return undefined
    const low = memberAt(source, i)
    const ranged = source[low.end] === '-' && low.end + 1 < source.length && source[low.end + 1] !== ']'
    const high = ranged ? memberAt(source, low.end + 1) : low
    if (asGit || low.code <= high.code) ranges.push(low.code, Math.max(low.code, high.code))
    i = high.end
  }
  return undefined
}

function posixAt(source: string, at: number): ParsedClass | undefined {
  if (source[at] !== '[' || source[at + 1] !== ':') return undefined
  const close = source.indexOf(':]', at + 2)
  const set = close < 0 ? undefined : POSIX[source.slice(at + 2, close)]
  return set && { set, end: close + 2 }
}

function memberAt(source: string, at: number): { readonly code: number; readonly end: number } {
  const from = source[at] === '\\' && at + 1 < source.length ? at + 1 : at
  const code = source.codePointAt(from) ?? 0
  return { code, end: from + (code > 0xffff ? 2 : 1) }
}
