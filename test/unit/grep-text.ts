import { createGrep, type Grep, type GrepOptions } from '../../src/ops/grep.js'
import type { LineMatcher } from '../../src/ops/regex/line-matcher.js'

/** Searches a short text to its end. */
export function grepText(text: string, matcher: LineMatcher, options: GrepOptions = {}): Pick<Grep, 'matches' | 'count' | 'more'> {
  const search = createGrep(text, matcher, options)
  while (!search.step());
  return search
}
