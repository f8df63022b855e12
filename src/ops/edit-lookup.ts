import { type FoldedText, isComposable } from './edit-compose.js'
import { type FoldLevel, foldSteps, foldText, foldUnicode, isFoldable, skipBlanks, skipBlanksBack } from './edit-fold.js'
import { detectEol } from './lines.js'
import type { Steps } from './steps.js'
import { type Search, searchSteps } from './text-search.js'
import { normalized } from './unicode-form.js'

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

const LEVELS: readonly MatchLevel[] = ['exact', 'eol', 'trailing_space', 'unicode']

/** A text in which an old one is looked up. */
export interface Sought {
  readonly text: string
  /** It goes on within its last line, so that nothing ends there. */
  readonly isCut?: boolean
}

export interface FoundIn<T extends Sought> {
  readonly where: T
  readonly matcher: Matcher
}

/**
 * Where `old` (not empty) is in these texts, at the first level at which it is in any; in steps. `every`: a text with both line endings has
 * those that differ in them as well.
 */
export function* findLevelSteps<T extends Sought>(texts: readonly T[], old: string, every = false): Steps<readonly FoundIn<T>[]> {
  const isMixed = every && old.includes('\n') && texts.some(({ text }) => text.includes('\r') && detectEol(text) === 'mixed')
  for (const level of isMixed ? LEVELS.slice(1) : LEVELS) {
    const found: FoundIn<T>[] = []
    for (const where of texts) {
      const matcher = yield* matcherAt(where.text, old, level)
      if (!matcher) continue
      const whole = where.isCut ? withoutEnd(matcher, where.text.length) : matcher
      if (whole.next(0)) found.push({ where, matcher: whole })
    }
    if (found.length > 0) return found
    yield
  }
  return []
}

function withoutEnd({ level, next }: Matcher, end: number): Matcher {
  return {
    level,
    next(from) {
      const match = next(from)
      return match && match.end < end ? match : undefined
    },
  }
}

/** Undefined where the level finds no more than the ones before it. */
function* matcherAt(text: string, old: string, level: MatchLevel): Steps<Matcher | undefined> {
  if (level === 'exact') return yield* exactMatcher(text, old, level)
  if (level === 'eol') return text.includes('\r') || old.includes('\r') ? yield* eolMatcher(text, old) : undefined
  // White space alone would match every line's end.
  if (old.trim() === '') return undefined
  if (level === 'unicode' && ![text, old].some((each) => isFoldable(each) || isComposable(each))) return undefined
  return yield* foldedMatcher(text, old, level)
}

function* exactMatcher(text: string, old: string, level: MatchLevel): Steps<Matcher> {
  const search = yield* searchSteps(text, old)
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
  return yield* exactMatcher(text, eol === 'crlf' ? plain.replaceAll('\n', '\r\n') : plain, 'eol')
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
  const plain = level === 'unicode' ? foldUnicode(normalized(old)) : old
  // The fold trims the old text's own end too; put back, it is the literal reading.
  const toLineEnd = foldText(plain, level).text
  const literal = level === 'eol' ? toLineEnd : toLineEnd + plain.slice(skipBlanksBack(plain, plain.length, plain.lastIndexOf('\n') + 1))
  const searchLiteral = yield* searchSteps(file.text, literal)
  const searchLineEnd = literal === toLineEnd ? () => -1 : yield* lineEndSearch(file.text, toLineEnd)
  const keepsBlanksBefore = literal.startsWith('\n') && /^\r?\n/.test(old)
  return {
    level,
    next(from) {
      for (let begin = from; ; ) {
        const a = searchLiteral(begin)
        const b = searchLineEnd(begin)
        if (a < 0 && b < 0) return undefined
        const endsLine = a < 0 || (b >= 0 && b < a)
        const at = endsLine ? b : a
        const after = at + (endsLine ? toLineEnd : literal).length
        begin = at + 1
        if (file.toOriginal(at) < 0 || file.toOriginal(after) < 0) continue
        return { at, after, ...originalSpan(text, file, { at, after, endsLine, keepsBlanksBefore }) }
      }
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
function* lineEndSearch(text: string, pattern: string): Steps<Search> {
  const search = yield* searchSteps(text, `${pattern}\n`)
  const last = text.endsWith(pattern) ? text.length - pattern.length : -1
  return (from) => {
    const at = search(from)
    return at < 0 && last >= from ? last : at
  }
}
