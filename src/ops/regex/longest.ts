import { RE2JS } from 're2js'

export interface LongestMatch {
  readonly index: number
  readonly end: number
  /** The whole match first; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[]
}

export interface LongestMatcher {
  exec(text: string, from: number): LongestMatch | undefined
  test(text: string): boolean
}

/** Compiles an expression of RE2 whose leftmost match is also the longest, as POSIX has it. Takes time linear in the text. */
export function compileLongest(source: string, ignoreCase: boolean): LongestMatcher {
  return compile(source, RE2JS.LONGEST_MATCH | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
}

/** The same, whose leftmost match is the one that comes first by the expression, as Perl and ripgrep have it. */
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
