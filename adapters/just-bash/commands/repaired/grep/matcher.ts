import { compilePerl } from '../regex/perl.js'
import { compileRegex, type Regex } from '../regex/regex.js'

export interface Found {
  readonly index: number
  readonly end: number
}

export interface LineMatcher {
  test(line: string): boolean
  /** The leftmost, and of those the longest. */
  next(line: string, from: number): Found | undefined
  /** What is shown for a text that matches; default: the text. */
  readonly replaced?: ((text: string) => string) | undefined
}

export interface MatcherOptions {
  readonly syntax: 'basic' | 'extended' | 'fixed' | 'perl'
  readonly ignoreCase: boolean
  readonly whole: 'word' | 'line' | undefined
  readonly unicode: boolean
}

/** A line matches where one of the patterns does. @throws {Failure} status 2 */
export function matcherFor(patterns: readonly string[], options: MatcherOptions): LineMatcher {
  const { syntax, ignoreCase, whole, unicode } = options
  if (syntax === 'fixed' && !ignoreCase && !whole) return plainMatcher(patterns)
  const rest = { ignoreCase, unicode, whole }
  const regexes = patterns.map((pattern): Regex => {
    if (syntax === 'perl') return compilePerl(pattern, rest)
    if (syntax === 'fixed') return compileRegex(pattern.replace(/[\\.[\]*^$+?(){}|]/g, '\\$&'), { ...rest, extended: true })
    const extended = syntax === 'extended'
    return compileRegex(pattern, { ...rest, extended, leadingRepeat: extended ? 'ignored' : 'literal', strictClasses: true })
  })
  return {
    test: (line) => regexes.some((regex) => regex.test(line)),
    next: (line, from) => best(regexes.map((regex) => regex.exec(line, from))),
  }
}

function plainMatcher(patterns: readonly string[]): LineMatcher {
  return {
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
