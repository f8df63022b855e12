import { compose, type FoldedText, isComposable } from './edit-compose.js'
import { type FoldLevel, foldSteps, foldText, foldUnicode, isFoldable, skipBlanks, skipBlanksBack } from './edit-fold.js'
import { detectEol } from './lines.js'
import type { Steps } from './steps.js'
import { createSearch } from './text-search.js'

/** How the old text was found; each level is used only where the ones before it have no match at all. */
export type MatchLevel = 'exact' | FoldLevel

export interface Match {
  /** Where it begins and ends in the text that was searched, which is a folded one at the tolerant levels. */
  readonly at: number
  readonly after: number
  /** The span of the original text that it stands for. */
  readonly start: number
  readonly end: number
}

export interface Matcher {
  readonly level: MatchLevel
  /** The first match that begins at `from` or later, in searched coordinates. Cheap as long as `from` only grows. */
  next(from: number): Match | undefined
}

/** The first level at which `old` (not empty) is in `text`, or undefined; in steps. */
export function* findLevelSteps(text: string, old: string): Steps<Matcher | undefined> {
  const exact = exactMatcher(text, old, 'exact')
  if (exact.next(0)) return exact
  yield
  if (text.includes('\r') || old.includes('\r')) {
    const matcher = yield* eolMatcher(text, old)
    if (matcher.next(0)) return matcher
    yield
  }
  // White space alone would now match every line's end.
  if (old.trim() === '') return undefined
  const trimmed = yield* foldedMatcher(text, old, 'trailing_space')
  if (trimmed.next(0)) return trimmed
  yield
  if (![text, old].some((each) => isFoldable(each) || isComposable(each))) return undefined
  yield
  const folded = yield* foldedMatcher(text, old, 'unicode')
  return folded.next(0) ? folded : undefined
}

function exactMatcher(text: string, old: string, level: MatchLevel): Matcher {
  const search = createSearch(text, old)
  const startsInBreak = old.startsWith('\n')
  return {
    level,
    next(from) {
      const at = search(from)
      if (at < 0) return undefined
      // A match that begins with the LF of a CRLF takes its CR along: a separator is replaced whole or not at all.
      const start = startsInBreak && text.charCodeAt(at - 1) === 13 ? at - 1 : at
      return { at, after: at + old.length, start, end: at + old.length }
    },
  }
}

/** A text whose endings are all alike needs no folded copy: the old text is given those endings. */
function* eolMatcher(text: string, old: string): Steps<Matcher> {
  const eol = detectEol(text)
  const plain = old.replaceAll('\r\n', '\n')
  if (eol === 'mixed') return yield* foldedMatcher(text, old, 'eol')
  return exactMatcher(text, eol === 'crlf' ? plain.replaceAll('\n', '\r\n') : plain, 'eol')
}

/**
 * Searches the folded text, and maps what it finds back. White space at a line's end belongs to the separator after it, so:
 * - a match that runs over a line's end takes the white space there along;
 * - one that ends at a line's end leaves it, unless the old text itself ends in white space: then either that stands there literally
 *   within a line, or the line has to end there, and its white space goes along;
 * - one that begins with a separator leaves the white space before it, unless the old text begins with white space there.
 */
function* foldedMatcher(text: string, old: string, level: FoldLevel): Steps<Matcher> {
  const file = yield* foldSteps(text, level)
  yield
  const plain = level === 'unicode' ? foldUnicode(compose(old)) : old
  // The fold trims the old text's own end too; put back, it is the literal reading.
  const toLineEnd = foldText(plain, level).text
  const literal = level === 'eol' ? toLineEnd : toLineEnd + plain.slice(skipBlanksBack(plain, plain.length, plain.lastIndexOf('\n') + 1))
  const searchLiteral = createSearch(file.text, literal)
  const searchLineEnd = literal === toLineEnd ? () => -1 : lineEndSearch(file.text, toLineEnd)
  const keepsBlanksBefore = literal.startsWith('\n') && /^\r?\n/.test(old)
  return {
    level,
    next(from) {
      const a = searchLiteral(from)
      const b = searchLineEnd(from)
      if (a < 0 && b < 0) return undefined
      const endsLine = a < 0 || (b >= 0 && b < a)
      const at = endsLine ? b : a
      const after = at + (endsLine ? toLineEnd : literal).length
      return { at, after, ...originalSpan(text, file, { at, after, endsLine, keepsBlanksBefore }) }
    },
  }
}

interface FoldedSpan {
  readonly at: number
  readonly after: number
  readonly endsLine: boolean
  readonly keepsBlanksBefore: boolean
}

function originalSpan(
  text: string,
  file: FoldedText,
  { at, after, endsLine, keepsBlanksBefore }: FoldedSpan,
): { start: number; end: number } {
  const start = file.toOriginal(at)
  const end = file.toOriginal(after)
  return { start: keepsBlanksBefore ? skipBlanks(text, start) : start, end: endsLine ? skipBlanks(text, end) : end }
}

/** Finds `pattern` where a line, or the text, ends after it. */
function lineEndSearch(text: string, pattern: string): (from: number) => number {
  const search = createSearch(text, `${pattern}\n`)
  const last = text.endsWith(pattern) ? text.length - pattern.length : -1
  return (from) => {
    const at = search(from)
    return at < 0 && last >= from ? last : at
  }
}
