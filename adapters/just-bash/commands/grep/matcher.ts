import { largest } from '../shared/bulk.js'
import { compilePerl } from '../shared/regex/perl.js'
import { areShort, compileRegex, type Regex } from '../shared/regex/regex.js'

export interface Found {
  readonly index: number
  readonly end: number
}

export interface LineMatcher {
  test(line: string): boolean
  /** Returns the leftmost match. Of several leftmost matches, returns the longest one. */
  next(line: string, from: number): Found | undefined
  /** Converts matched text for output. Default: the text stays unchanged. */
  readonly replaced?: ((text: string) => string) | undefined
  /** Searches many lines at once. Undefined if each line must be tested. */
  readonly lines?: LineFinder | undefined
}

/** Searches many lines with one regex call, which takes a tenth of the time. */
export class LineFinder {
  readonly #regex: RegExp
  readonly #power: number

  constructor(source: string, flags: string, power: number) {
    this.#regex = new RegExp(source, `g${flags}`)
    this.#power = power
  }

  /** Whether all lines are so short that backtracking cannot take long. */
  suits(text: string): boolean {
    if (this.#power < 2) return true
    let [longest, at] = [0, 0]
    for (let stop = text.indexOf('\n'); stop >= 0; stop = text.indexOf('\n', at)) {
      longest = Math.max(longest, stop - at)
      at = stop + 1
    }
    longest = Math.max(longest, text.length - at)
    return longest === 0 || areShort(this.#power, longest, text.length / longest)
  }

  /**
   * Returns the start of the first matching line at or after `from`, which must be the start of a line. Returns undefined if no line
   * matches.
   */
  next(text: string, from: number): number | undefined {
    this.#regex.lastIndex = from
    if (!this.#regex.test(text)) return undefined
    const end = this.#regex.lastIndex
    return end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
  }
}

export interface MatcherOptions {
  readonly syntax: 'basic' | 'extended' | 'fixed' | 'perl'
  readonly ignoreCase: boolean
  readonly whole: 'word' | 'line' | undefined
  readonly unicode: boolean
}

/** Matches a line if any pattern does. @throws {Failure} with status 2 for an invalid pattern */
export function matcherFor(patterns: readonly string[], options: MatcherOptions): LineMatcher {
  const { syntax, ignoreCase, whole, unicode } = options
  if (syntax === 'fixed' && !ignoreCase && !whole) return plainMatcher(patterns, unicode)
  const rest = { ignoreCase, unicode, whole }
  const regexes = patterns.map((pattern): Regex => {
    if (syntax === 'perl') return compilePerl(pattern, rest)
    if (syntax === 'fixed') return compileRegex(pattern.replace(SPECIAL, '\\$&'), { ...rest, extended: true })
    const extended = syntax === 'extended'
    return compileRegex(pattern, { ...rest, extended, leadingRepeat: extended ? 'ignored' : 'literal', strictClasses: true })
  })
  const inLines = regexes.flatMap((regex) => regex.inLines ?? [])
  return {
    lines: inLines.length === regexes.length ? finderOf(inLines, unicode, ignoreCase) : undefined,
    test: (line) => regexes.some((regex) => regex.test(line)),
    next: (line, from) => best(regexes.map((regex) => regex.exec(line, from))),
  }
}

const SPECIAL = /[\\.[\]*^$+?(){}|]/g

function finderOf(all: readonly NonNullable<Regex['inLines']>[], unicode: boolean, ignoreCase = false): LineFinder | undefined {
  if (all.length === 0) return undefined
  const power = largest(all.map((one) => one.power))
  return new LineFinder(all.map(({ source }) => source).join('|'), `${unicode ? 'u' : ''}${ignoreCase ? 'i' : ''}`, power)
}

function plainMatcher(patterns: readonly string[], unicode: boolean): LineMatcher {
  const inLines = patterns.map((pattern) => ({ source: pattern.replace(SPECIAL, '\\$&'), power: 1 }))
  return {
    lines: finderOf(inLines, unicode),
    test: (line) => patterns.some((pattern) => line.includes(pattern)),
    next: (line, from) =>
      best(
        patterns.map((pattern) => {
          const index = line.indexOf(pattern, from)
          return index < 0 ? undefined : { index, end: index + pattern.length }
        }),
      ),
  }
}

function best(matches: readonly (Found | undefined)[]): Found | undefined {
  let found: Found | undefined
  for (const match of matches) {
    if (match && (!found || match.index < found.index || (match.index === found.index && match.end > found.end))) found = match
  }
  return found
}
