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
 * Compiles a search pattern in RE2's dialect, which every engine here agrees on: ASCII `\w \d \s \b`, `.` anything but a line break,
 * `^` and `$` at the beginning and end of every line.
 *
 * The engine follows from the pattern alone: plain text is looked up, a pattern that a JavaScript regular expression searches in linear
 * time is translated to one, and everything else goes to re2js, which is loaded when it is first needed.
 *
 * @throws InputError `invalid_input` for a pattern that is no RE2, with what to use instead of look-around and back-references.
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

/** Whether an escape that a backslash begins (and not one that a backslash escapes) is this one. */
function names(source: string, escaped: string): boolean {
  return new RegExp(`^(?:[^\\\\]|\\\\(?!${escaped}).)*\\\\${escaped}`, 's').test(source)
}

// indexOf reads some gigabytes a second; hits cost more than that.
const SLICE = 1 << 18

/** Finds a text as it stands. */
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

/** The longest text that every match holds, by its characters of one spelling; undefined if none is certain. */
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
    // Behind a repeated character the text goes on, but not right behind the first one.
    if (code === undefined || max > 1) current = ''
  }
  return best === '' ? undefined : best
}
