import type { LineMatcher } from './line-matcher.js'

// indexOf reads some gigabytes a second; hits cost more than that.
const SLICE = 1 << 18

/** Finds a text as it stands. */
export function createLiteralMatcher(needle: string, shared: Pick<LineMatcher, 'multiline' | 'seesReturns'>): LineMatcher {
  let end = 0
  return {
    engine: 'literal',
    ...shared,
    required: needle,
    slice: SLICE,
    longestLine: Number.POSITIVE_INFINITY,
    reach: Number.POSITIVE_INFINITY,
    search(text, from) {
      const at = text.indexOf(needle, from)
      end = at + needle.length
      return at
    },
    get end() {
      return end
    },
  }
}
