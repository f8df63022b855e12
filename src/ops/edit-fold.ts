import { chunkedText } from './chunked-text.js'
import { composeSteps, type FoldedText } from './edit-compose.js'
import { IntList } from './int-list.js'
import { finish, type Steps } from './steps.js'
import { countBelow } from './text-search.js'

/** The differences that a tolerant level ignores. Each level includes the previous one. */
export type FoldLevel = 'eol' | 'trailing_space' | 'unicode'

const DASHES = /[\u2010-\u2015\u2212]/g
const SINGLE_QUOTES = /[\u2018-\u201b]/g
const DOUBLE_QUOTES = /[\u201c-\u201f]/g
const SPACES = /[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g
const FOLDABLE = /[\u00a0\u2002-\u200a\u2010-\u2015\u2018-\u201f\u202f\u205f\u2212\u3000]/

const CR = 13

/** Lines folded in one step. */
const LINES_A_STEP = 65_536
/** Number of code units in which dashes, quotes and spaces are folded in one step. */
const UNITS_A_STEP = 262_144

export function foldText(text: string, level: FoldLevel): FoldedText {
  return finish(foldSteps(text, level))
}

/** Runs `foldText` in steps. */
export function* foldSteps(text: string, level: FoldLevel): Steps<FoldedText> {
  if (level !== 'unicode') return yield* foldLineEnds(text, level !== 'eol')
  const composed = yield* composeSteps(text)
  const folded = yield* foldLineEnds(yield* unicodeSteps(composed.text), true)
  return { text: folded.text, toOriginal: (offset) => composed.toOriginal(folded.toOriginal(offset)) }
}

function* unicodeSteps(text: string): Steps<string> {
  if (!isFoldable(text)) return text
  const out = chunkedText()
  for (let at = 0; at < text.length; at += UNITS_A_STEP) {
    out.push(foldUnicode(text.slice(at, at + UNITS_A_STEP)))
    yield
  }
  return out.join()
}

/** Whether `foldUnicode` changes the text. */
export function isFoldable(text: string): boolean {
  return FOLDABLE.test(text)
}

/** Replaces typographic dashes, quotes and spaces by ASCII characters. Each code unit becomes one code unit, so offsets stay the same. */
export function foldUnicode(text: string): string {
  if (!isFoldable(text)) return text
  return text.replace(DASHES, '-').replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(SPACES, ' ')
}

/** Removes CR from CRLF and, with `trim`, spaces and tabs at the end of each line. */
function* foldLineEnds(text: string, trim: boolean): Steps<FoldedText> {
  if (!trim && !text.includes('\r')) return { text, toOriginal: (offset) => offset }
  const out = chunkedText()
  // For each line that loses characters: the offset of its end in the folded text, and the number of code units removed up to there.
  const ends = new IntList()
  const takenOut = new IntList()
  let from = 0
  let total = 0
  let lines = 0
  const close = (contentEnd: number, lineEnd: number): void => {
    if (contentEnd === lineEnd) return
    out.push(text.slice(from, contentEnd))
    total += lineEnd - contentEnd
    ends.push(out.length())
    takenOut.push(total)
    from = lineEnd
  }
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const end = at > 0 && text.charCodeAt(at - 1) === CR ? at - 1 : at
    close(trim ? skipBlanksBack(text, end, from) : end, at)
    if (++lines % LINES_A_STEP === 0) yield
  }
  if (trim) close(skipBlanksBack(text, text.length, from), text.length)
  const [sites, removed] = [ends.values(), takenOut.values()]
  if (sites.length === 0) return { text, toOriginal: (offset) => offset }
  out.push(text.slice(from))
  return { text: out.join(), toOriginal: (offset) => offset + (removed[countBelow(sites, offset) - 1] ?? 0) }
}

/** Returns the start of the spaces and tabs before `end`. */
export function skipBlanksBack(text: string, end: number, from: number): number {
  let at = end
  while (at > from && isBlank(text.charCodeAt(at - 1))) at--
  return at
}

/** Returns the end of the spaces, tabs and characters that fold to a space, from `from` on. */
export function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && (isBlank(text.charCodeAt(at)) || isFoldedSpace(text, at))) at++
  return at
}

const isBlank = (unit: number): boolean => unit === 32 || unit === 9
const isFoldedSpace = (text: string, at: number): boolean => text.charCodeAt(at) >= 0xa0 && foldUnicode(text.charAt(at)) === ' '
