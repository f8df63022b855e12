import { compilePattern } from '../../../../src/ops/compile-pattern.js'
import type { LongestMatcher } from '../../../../src/ops/regex/longest.js'
import type { Found, LineMatcher as GrepMatcher } from '../grep/matcher.js'
import { Failure } from '../shared/failure.js'
import type { Given } from '../shared/options.js'
import type { Match } from '../shared/regex/match.js'
import { compilePerl } from '../shared/regex/perl.js'

const NOT_ASCII = /[^\0-\x7f]/
const LETTER = '[\\p{L}\\p{M}\\p{Nd}\\p{Pc}]'
const BORDER = `(?:(?<!${LETTER})(?=${LETTER})|(?<=${LETTER})(?!${LETTER}))`
/** Unicode equivalents of RE2's ASCII classes, as ripgrep defines them, for use within brackets. */
const UNICODE: Readonly<Record<string, string>> = {
  w: '\\p{L}\\p{M}\\p{Nd}\\p{Pc}',
  d: '\\p{Nd}',
  s: '\\s\\x{85}\\p{Z}',
}

export interface RgMatcher extends GrepMatcher {
  /** Applies the replacement of `-r`. */
  readonly replaced: ((line: string) => string) | undefined
}

/** Compiles two matchers on demand: for ASCII texts and for other texts. @throws {Failure} with status 2 for invalid patterns */
export class Patterns {
  readonly #given: Given
  readonly #source: string
  readonly #ignoreCase: boolean
  readonly #compiled = new Map<boolean, RgMatcher>()

  constructor(given: Given, patterns: readonly string[]) {
    this.#given = given
    const plain = patterns.map((pattern) => (given.has('F') ? pattern.replace(/[\\.[\]*^$+?(){}|]/g, '\\$&') : pattern))
    if (!given.has('F') && !given.has('P')) for (const pattern of plain) checkClasses(pattern)
    const joined = plain.length === 1 ? (plain[0] as string) : plain.map((pattern) => `(?:${pattern})`).join('|')
    const isWord = given.has('w') && !given.has('x')
    if (isWord && plain.some((pattern) => !/^[\w([\\]/.test(pattern) || !/[\w)\]+*?}.]$/.test(pattern)))
      throw new Failure('-w is not supported in this shell for patterns that start or end with a non-word character: leave -w out', 2)
    this.#source = given.has('x') ? `^(?:${joined})$` : isWord ? `\\b(?:${joined})\\b` : joined
    const how = given.last('i', 's', 'S')
    this.#ignoreCase = how === 'i' || (how === 'S' && !/\p{Lu}/u.test(plain.join('').replace(/\\[\s\S]/g, '')))
  }

  async for(text: string, unicode: boolean): Promise<RgMatcher> {
    const wide = unicode && NOT_ASCII.test(text)
    const matcher = this.#compiled.get(wide) ?? (await this.#compile(wide))
    this.#compiled.set(wide, matcher)
    return matcher
  }

  async #compile(wide: boolean): Promise<RgMatcher> {
    const replacement = this.#given.value('r')
    const source = wide && !this.#given.has('P') ? unicodeOf(this.#source) : this.#source
    // RE2's `\b` is ASCII-only, so use the regex engine of JavaScript for Unicode word boundaries.
    if (this.#given.has('P') || (wide && /\\[bB]/.test(source))) {
      const regex = compilePerl(
        source.replace(/\\([bB])/g, (_, letter: string) => (letter === 'b' ? BORDER : `(?!${BORDER})`)),
        {
          ignoreCase: this.#ignoreCase,
        },
      )
      const next = (line: string, from: number): Match | undefined => regex.exec(line, from)
      return { test: (line) => regex.test(line), next, replaced: replacing(replacement, next, next) }
    }
    const lines = await compilePattern(source, { ignoreCase: this.#ignoreCase, multiline: true }).catch((error: unknown) => {
      throw new Failure(`regex parse error: ${error instanceof Error ? error.message : error}`, 2)
    })
    const next = (line: string, from: number): Found | undefined => {
      if (line.length > lines.longestLine)
        throw new Failure(`a line of ${line.length} characters is too long for this expression: use -F, or fold the input first`, 2)
      const index = lines.search(line, from)
      return index < 0 ? undefined : { index, end: lines.end }
    }
    const groups = replacement === undefined ? undefined : await first(source, this.#ignoreCase)
    return {
      test: (line) => next(line, 0) !== undefined,
      next,
      replaced: replacing(replacement, next, (line, from) => groups?.exec(line, from)),
    }
  }
}

async function first(source: string, ignoreCase: boolean): Promise<LongestMatcher> {
  return (await import('../../../../src/ops/regex/longest.js')).compileFirst(source, ignoreCase)
}

type Next<T> = (line: string, from: number) => T | undefined

/** Returns the function that applies the replacement of `-r`, or undefined without `-r`. */
function replacing(replacement: string | undefined, next: Next<Found>, groupsOf: Next<Match>): RgMatcher['replaced'] {
  if (replacement === undefined) return undefined
  if (/\$\{?[A-Za-z_]\w*/.test(replacement.replaceAll('$$', '')))
    throw new Failure('named groups in -r are not supported in this shell: use group numbers', 2)
  const fill = (groups: readonly (string | undefined)[]): string =>
    replacement.replace(/\$\$|\$\{(\d+)\}|\$(\d+\w*)/g, (all, braced?: string, plain?: string) =>
      all === '$$' ? '$' : (groups[Number(braced ?? plain)] ?? ''),
    )
  return (line) => {
    let out = ''
    let done = 0
    for (let at = 0; at <= line.length; ) {
      const found = next(line, at)
      if (!found) break
      out += line.slice(done, found.index) + fill(groupsOf(line, found.index)?.groups ?? [])
      done = found.end
      at = found.end === found.index ? found.end + 1 : found.end
    }
    return out + line.slice(done)
  }
}

/** Rejects bracket syntax that RE2 interprets differently from ripgrep. */
function checkClasses(pattern: string): void {
  for (const [set] of pattern.matchAll(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]/g)) {
    if (!set.startsWith('[')) continue
    const members = set.slice(1).replace(/\\[\s\S]|\[:\^?\w+:\]/g, '')
    if (/\[|&&|--|~~/.test(members))
      throw new Failure(`nested sets in ${set} are not supported in this shell: write them out, with \\[ for a bracket`, 2)
  }
}

function unicodeOf(source: string): string {
  return source.replace(
    /(\[\^?\]?)((?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*)\]|\\([\s\S])/g,
    (all: string, open?: string, members = '', char = '') => {
      if (open !== undefined)
        return `${open}${(members as string).replace(/\\([\s\S])/g, (escaped: string, letter: string) => UNICODE[letter] ?? escaped)}]`
      const negated = UNICODE[(char as string).toLowerCase()]
      return UNICODE[char as string] ? `[${UNICODE[char as string]}]` : negated && /[WDS]/.test(char as string) ? `[^${negated}]` : all
    },
  )
}
