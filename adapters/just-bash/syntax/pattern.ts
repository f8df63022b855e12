// Converts shell patterns to regular expressions of the library's engine. Built into the library (patches/patterns.patch), whose own four
// translations do not read brackets like POSIX.

import { classSource } from '../commands/shared/regex/emit.js'

export interface PatternOptions {
  readonly extglob: boolean
  /** Whether `*` matches as much as possible, or as little. */
  readonly greedy: boolean
}

const literal = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')

/** Returns the source of a regular expression without anchors, to match a part of a text. */
export function patternSource(pattern: string, options: PatternOptions): string {
  let source = ''
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string
    const end = options.extglob && '@*+?!'.includes(char) && pattern[at + 1] === '(' ? groupEnd(pattern, at + 1) : -1
    if (end > 0) {
      source += groupSource(char, alternativesIn(pattern.slice(at + 2, end)), options)
      at = end
    } else if (char === '*') source += options.greedy ? '.*' : '.*?'
    else if (char === '?') source += '.'
    else if (char === '[') {
      const bracket = readBracket(pattern, at)
      source += bracket?.source ?? '\\['
      at = bracket?.end ?? at
    } else if (char === '\\') source += literal(pattern[++at] ?? '\\')
    else source += literal(char)
  }
  return source
}

function groupSource(kind: string, alternatives: readonly string[], options: PatternOptions): string {
  if (kind === '!')
    throw new Error(`!(${alternatives.join('|')}) is supported in names of files, case and [[ here, not in \${x#...} and \${x/...}`)
  const body = `(?:${alternatives.map((alternative) => patternSource(alternative, options)).join('|')})`
  return kind === '@' ? body : body + kind
}

/** Whether `matchesPattern` is needed, because regular expressions cannot express `!(...)`. */
export const hasNegation = (pattern: string): boolean => pattern.includes('!(')

/** Whether a pattern with `extglob` matches a whole text. */
export function matchesPattern(pattern: string, text: string, ignoreCase: boolean): boolean {
  if (text.length > MOST) throw new Error(`${pattern}: !(...) is supported for texts up to ${MOST} characters here`)
  const fold = (value: string): string => (ignoreCase ? value.toLowerCase() : value)
  return endsOf(fold(pattern), [...fold(text)], new Set([0])).has([...fold(text)].length)
}
const MOST = 10_000

/** Returns the positions at which matches end that start at one of the given positions. */
function endsOf(pattern: string, text: readonly string[], from: ReadonlySet<number>): ReadonlySet<number> {
  let places = from
  const step = (fits: (char: string) => boolean): void => {
    places = new Set([...places].filter((place) => place < text.length && fits(text[place] as string)).map((place) => place + 1))
  }
  for (let at = 0; at < pattern.length && places.size > 0; at++) {
    const char = pattern[at] as string
    const end = '@*+?!'.includes(char) && pattern[at + 1] === '(' ? groupEnd(pattern, at + 1) : -1
    const bracket = char === '[' ? readBracket(pattern, at) : undefined
    if (end > 0) {
      places = groupEnds(char, alternativesIn(pattern.slice(at + 2, end)), text, places)
      at = end
    } else if (char === '*') places = rangeOf(Math.min(...places), text.length)
    else if (char === '?') step(() => true)
    else if (bracket) {
      const set = new RegExp(`^${bracket.source.replace(/\\x(?=\{)/g, '\\u')}$`, 'su')
      step((each) => set.test(each))
      at = bracket.end
    } else {
      const [wanted = '\\'] = pattern.slice(char === '\\' ? at + 1 : at)
      step((each) => each === wanted)
      at += (char === '\\' ? 1 : 0) + wanted.length - 1
    }
  }
  return places
}

function groupEnds(kind: string, alternatives: readonly string[], text: readonly string[], from: ReadonlySet<number>): ReadonlySet<number> {
  const once = (places: ReadonlySet<number>): Set<number> =>
    new Set(alternatives.flatMap((alternative) => [...endsOf(alternative, text, places)]))
  if (kind === '!') {
    const rest = (place: number): readonly number[] => {
      const taken = once(new Set([place]))
      return [...rangeOf(place, text.length)].filter((end) => !taken.has(end))
    }
    return new Set([...from].flatMap(rest))
  }
  const found = once(from)
  if (kind === '@') return found
  if (kind !== '?')
    for (let next: ReadonlySet<number> = found; next.size > 0; ) {
      next = new Set([...once(next)].filter((place) => !found.has(place)))
      for (const place of next) found.add(place)
    }
  return kind === '+' ? found : new Set([...from, ...found])
}

const rangeOf = (from: number, to: number): ReadonlySet<number> =>
  new Set(Array.from({ length: to - from + 1 }, (_, index) => from + index))

/** Returns the index of the parenthesis that closes the one at `from`, or -1 if there is none. */
function groupEnd(pattern: string, from: number): number {
  let depth = 0
  for (let at = from; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === '(') depth++
    else if (pattern[at] === ')' && --depth === 0) return at
  }
  return -1
}

function alternativesIn(group: string): readonly string[] {
  const found = ['']
  let depth = 0
  for (let at = 0; at < group.length; at++) {
    const char = group[at] as string
    if (char === '|' && depth === 0) {
      found.push('')
      continue
    }
    if (char === '(') depth++
    else if (char === ')') depth--
    found[found.length - 1] += char === '\\' ? char + (group[++at] ?? '') : char
  }
  return found
}

const MEMBER = /\[:([a-z]+):\]|\[([.=])([\s\S]+?)\2\]|\\([\s\S])|([\s\S])/uy
const inSet = (char: string): string => char.replace(/[\\\][^-]/, '\\$&')

/** Reads a bracket expression such as `[a-z]` (POSIX 2.13.1). Undefined if the bracket is a literal character. */
function readBracket(pattern: string, from: number): { readonly source: string; readonly end: number } | undefined {
  const negated = pattern[from + 1] === '!' || pattern[from + 1] === '^'
  const first = from + (negated ? 2 : 1)
  let source = ''
  let low: string | undefined
  let isRange = false
  MEMBER.lastIndex = first
  for (let at = first; ; at = MEMBER.lastIndex) {
    const [found, name, , collated, escaped, char] = MEMBER.exec(pattern) ?? []
    if (found === undefined) return undefined
    if (char === ']' && at > first) {
      if (isRange) source += '\\-'
      // An empty set matches nothing.
      return { source: source === '' ? (negated ? '.' : '[^\\s\\S]') : `[${negated ? '^' : ''}${source}]`, end: at }
    }
    if (char === '-' && low !== undefined && !isRange) {
      isRange = true
      continue
    }
    const member = collated ?? escaped ?? char
    if (isRange && low !== undefined && member !== undefined) {
      source = source.slice(0, -inSet(low).length)
      if (low <= member) source += `${inSet(low)}-${inSet(member)}`
      low = undefined
    } else {
      source += member === undefined ? classSource(name ?? '') : inSet(member)
      low = member
    }
    isRange = false
  }
}
