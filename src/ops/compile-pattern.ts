import { only } from './char-set.js'
import type { AltNode } from './regex/ast.js'
import type { LineMatcher, PatternOptions } from './regex/line-matcher.js'
import { createNativeMatcher } from './regex/native.js'
import { parsePattern } from './regex/parse.js'
import { planSearch } from './regex/plan.js'
import { lineBreak, refusal, refuseUnsupported } from './regex/refuse.js'
import { ANY_SPAN, ONE_LINE, spanOf } from './regex/span.js'

export type { LineMatcher, PatternOptions } from './regex/line-matcher.js'

const MAX_PATTERN = 4096

/**
 * Compiles a search pattern in RE2's dialect. All engines here interpret a pattern in the same way: `\w \d \s \b` are ASCII, `.` matches
 * anything but a line break, `^` and `$` match at the start and end of every line.
 *
 * The pattern alone determines the engine. Plain text uses `indexOf`. A pattern that a JavaScript regular expression matches in linear time
 * is translated. All other patterns use re2js, which loads on first use.
 *
 * @throws InputError `invalid_input` for a pattern that is not valid in RE2, with alternatives to look-around and back-references.
 */
export async function compilePattern(pattern: string, options: PatternOptions = {}): Promise<LineMatcher> {
  const { literal = false, ignoreCase = false, multiline = false } = options
  if (pattern.length > MAX_PATTERN) throw refusal(pattern, `it has ${pattern.length} characters, at most ${MAX_PATTERN} are allowed`)
  const source = literal ? quote(pattern) : pattern
  if (!literal) refuseUnsupported(pattern, !multiline)
  else if (!multiline && pattern.includes('\n')) throw lineBreak(pattern)
  const parsed = parsePattern(source, { ignoreCase, lines: !multiline })
  const shared = {
    multiline,
    seesReturns: source.includes('\r') || names(source, 'r') || names(source, '(?:015|x(?:0[dD]|\\{0*[dD]\\}))'),
    span: !multiline ? ONE_LINE : parsed ? spanOf(parsed) : ANY_SPAN,
  }
  const plan = parsed && planSearch(parsed, !multiline)
  if (plan?.kind === 'literal') return createLiteralMatcher(plan.text, shared)
  const required = parsed && requiredText(parsed)
  if (plan) return createNativeMatcher(plan, { ...shared, required })
  const { createRe2Matcher } = await import('./regex/re2.js')
  return createRe2Matcher(source, { ...shared, required, ignoreCase, shown: pattern })
}

function quote(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Whether the source contains this escape. An escaped backslash does not start an escape. */
function names(source: string, escaped: string): boolean {
  return new RegExp(`^(?:[^\\\\]|\\\\(?!${escaped}).)*\\\\${escaped}`, 's').test(source)
}

// Characters to search at once. `indexOf` reads some gigabytes per second, but each match costs more.
const SLICE = 1 << 18

/** Creates a matcher for a literal text. */
function createLiteralMatcher(needle: string, shared: Pick<LineMatcher, 'multiline' | 'seesReturns' | 'span'>): LineMatcher {
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

/** Returns the longest text that every match contains, from characters with a single spelling; undefined if there is none. */
function requiredText({ options }: AltNode): string | undefined {
  const [seq, ...others] = options
  if (!seq || others.length > 0) return undefined
  let best = ''
  let current = ''
  for (const { node, min, max } of seq) {
    const code = node.kind === 'char' && min > 0 ? only(node.set) : undefined
    if (node.kind === 'edge') continue
    if (code !== undefined) current += String.fromCodePoint(code)
    if (current.length > best.length) best = current
    // After a character that may repeat, the next text does not directly follow its first occurrence, so start a new text.
    if (code === undefined || max > 1) current = ''
  }
  return best === '' ? undefined : best
}
