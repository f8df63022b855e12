import { RE2JS } from 're2js'

export interface LongestMatch {
  readonly index: number
  readonly end: number
  /** The whole match, then the groups. Undefined for a group that did not take part in the match. */
  readonly groups: readonly (string | undefined)[]
}

export interface LongestMatcher {
  exec(text: string, from: number): LongestMatch | undefined
  test(text: string): boolean
}

/** Compiles an RE2 expression with leftmost-longest matches, as in POSIX. Takes time linear in the text. */
export function compileLongest(source: string, ignoreCase: boolean): LongestMatcher {
  return compile(source, RE2JS.LONGEST_MATCH | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
}

/** Compiles an RE2 expression with leftmost-first matches, as in Perl and ripgrep. */
export function compileFirst(source: string, ignoreCase: boolean): LongestMatcher {
  return compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
}

function compile(source: string, flags: number): LongestMatcher {
  const regex = RE2JS.compile(source, flags)
  return {
    exec(text, from) {
      const matcher = regex.matcher(text)
      if (!matcher.find(from)) return undefined
      const groups: (string | undefined)[] = []
      for (let i = 0; i <= matcher.groupCount(); i++) groups.push(matcher.group(i) ?? undefined)
      return { index: matcher.start(), end: matcher.end(), groups }
    },
    test: (text) => regex.matcher(text).find(),
  }
}
