import { type FoldedText, isComposable } from './edit-compose.js'
import { type FoldLevel, foldSteps, foldText, foldUnicode, isFoldable, skipBlanks, skipBlanksBack } from './edit-fold.js'
import { detectEol } from './lines.js'
import type { Steps } from './steps.js'
import { type Search, searchSteps } from './text-search.js'
import { normalized } from './unicode-form.js'

/** The level at which the old text was found. A level is used only if all earlier levels have no match. */
export type MatchLevel = 'exact' | FoldLevel

export interface Match {
  /** Start (`at`) and end (`after`) of the match in the searched text. At the tolerant levels, this is the folded text. */
  readonly at: number
  readonly after: number
  /** The corresponding range of the original text. */
  readonly start: number
  readonly end: number
}

export interface Matcher {
  readonly level: MatchLevel
  /** Returns the first match at or after `from`, an offset in the searched text. Efficient only if `from` increases from call to call. */
  next(from: number): Match | undefined
}

const LEVELS: readonly MatchLevel[] = ['exact', 'eol', 'trailing_space', 'unicode']

/** A text to search. */
export interface Sought {
  readonly text: string
  /** Whether the text ends within a line, so that its end is not the end of a line. */
  readonly isCut?: boolean
}

export interface FoundIn<T extends Sought> {
  readonly where: T
  readonly matcher: Matcher
}

/**
 * Finds `old` (not empty) in `texts`, at the first level with a match in any text. Runs in steps. With `every`, in a text with mixed line
 * endings, also returns matches that differ in line endings.
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

/** @returns undefined if the level cannot find more than the earlier levels */
function* matcherAt(text: string, old: string, level: MatchLevel): Steps<Matcher | undefined> {
  if (level === 'exact') return yield* exactMatcher(text, old, level)
  if (level === 'eol') return text.includes('\r') || old.includes('\r') ? yield* eolMatcher(text, old) : undefined
  // Skip an old text that contains only white space, because it would match at every line end.
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
      // If a match starts with the LF of a CRLF, include the CR, so that the whole line separator is replaced.
      const start = startsInBreak && text.charCodeAt(at - 1) === 13 ? at - 1 : at
      return { at, after: at + old.length, start, end: at + old.length }
    },
  }
}

/**
 * Searches without regard to line endings. If all line endings of the text are equal, converts the old text instead of folding the file.
 */
function* eolMatcher(text: string, old: string): Steps<Matcher> {
  const eol = detectEol(text)
  const plain = old.replaceAll('\r\n', '\n')
  if (eol === 'mixed') return yield* foldedMatcher(text, old, 'eol')
  return yield* exactMatcher(text, eol === 'crlf' ? plain.replaceAll('\n', '\r\n') : plain, 'eol')
}

/**
 * Searches the folded text, and maps matches to the original. White space at the end of a line belongs to its separator:
 * - a match across the end of a line includes the white space there;
 * - a match that ends at the end of a line excludes it, unless the old text ends in white space. Then either this white space occurs
 *   literally within a line, or the line must end there and the match includes its white space;
 * - a match that starts with a separator excludes the white space before it, unless the old text starts with white space there.
 */
function* foldedMatcher(text: string, old: string, level: FoldLevel): Steps<Matcher> {
  const file = yield* foldSteps(text, level)
  yield
  const plain = level === 'unicode' ? foldUnicode(normalized(old)) : old
  // Folding trims white space at the end of the old text. Restore that white space for the literal search.
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

/** Finds `pattern` only at the end of a line or of the text. */
function* lineEndSearch(text: string, pattern: string): Steps<Search> {
  const search = yield* searchSteps(text, `${pattern}\n`)
  const last = text.endsWith(pattern) ? text.length - pattern.length : -1
  return (from) => {
    const at = search(from)
    return at < 0 && last >= from ? last : at
  }
}
