import { composeText } from './edit-compose.js'
import { foldUnicode, skipBlanksBack } from './edit-fold.js'
import type { Match, MatchLevel } from './edit-lookup.js'
import { lineChanges } from './line-changes.js'
import { detectEol } from './lines.js'
import { normalized } from './unicode-form.js'

type Break = '' | '\n' | '\r\n'

/** Maximum number of changed lines for comparing the old and the new text line by line. */
const MAX_LINE_EDITS = 300

/**
 * Returns a function that computes the replacement of a match. The new text gets the line endings of the text that it replaces. Parts that
 * the edit leaves unchanged keep the file's own characters, so that a tolerant match changes no more than an exact match.
 */
export function replacer(text: string, level: MatchLevel, old: string, fresh: string): (match: Match) => string {
  const sameText = level === 'exact' || level === 'eol'
  if (sameText && !text.includes('\r')) {
    const plain = toEol(fresh, '\n')
    return () => plain
  }
  const nearest = nearestBreak(text)
  let merge: ReturnType<typeof lineMerger> | undefined
  return ({ start, end }) => {
    const region = text.slice(start, end)
    const eol = firstBreak(region) || nearest(start, end)
    if (sameText && detectEol(region) !== 'mixed') return toEol(fresh, eol)
    merge ??= lineMerger(old, fresh)
    return merge(region, eol)
  }
}

const toEol = (text: string, eol: Break): string => (text.includes('\n') ? text.replace(/\r?\n/g, eol) : text)

function firstBreak(text: string): Break {
  const at = text.indexOf('\n')
  if (at < 0) return ''
  return breakAt(text, at)
}

const breakAt = (text: string, lf: number): Break => (lf > 0 && text.charCodeAt(lf - 1) === 13 ? '\r\n' : '\n')

/**
 * Returns a function that finds the line separator nearest to a range. Of two equally near separators it takes the earlier. LF if there is
 * none. Pass ranges in ascending order.
 */
function nearestBreak(text: string): (start: number, end: number) => Break {
  const overall = detectEol(text)
  if (overall !== 'mixed') return () => (overall === 'crlf' ? '\r\n' : '\n')
  let before = -1
  let after = text.indexOf('\n')
  return (start, end) => {
    while (after >= 0 && after < end) {
      if (after < start) before = after
      after = text.indexOf('\n', after + 1)
    }
    const takeBefore = before >= 0 && (after < 0 || start - before <= after - end + 1)
    return breakAt(text, takeBefore ? before : after)
  }
}

interface Line {
  readonly body: string
  readonly end: Break
}

function toLines(text: string): Line[] {
  const lines: Line[] = []
  let from = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
    const end = at > from ? breakAt(text, at) : '\n'
    lines.push({ body: text.slice(from, at + 1 - end.length), end })
    from = at + 1
  }
  lines.push({ body: text.slice(from), end: '' })
  return lines
}

/** Returns for each new line the index of the corresponding old line, or -1. Undefined if the texts differ too much. */
function pairLines(oldLines: readonly Line[], newLines: readonly Line[]): number[] | undefined {
  const bodies = (lines: readonly Line[]): string[] => lines.map((line) => line.body)
  const changes = lineChanges(bodies(oldLines), bodies(newLines), MAX_LINE_EDITS)
  if (!changes) return undefined
  const pairs = new Array<number>(newLines.length)
  let [oldAt, newAt] = [0, 0]
  const pairUpTo = (newTo: number): void => {
    while (newAt < newTo) pairs[newAt++] = oldAt++
  }
  for (const { oldFrom, oldTo, newFrom, newTo } of changes) {
    pairUpTo(newFrom)
    // Changed lines correspond only if their number is the same before and after.
    const sameCount = oldTo - oldFrom === newTo - newFrom
    for (; newAt < newTo; newAt++) pairs[newAt] = sameCount ? oldFrom + newAt - newFrom : -1
    oldAt = oldTo
  }
  pairUpTo(newLines.length)
  return pairs
}

/**
 * Returns a function that merges the new text with the file's spelling of the old text. The matched region has as many lines as the old
 * text.
 */
function lineMerger(old: string, fresh: string): (region: string, eol: Break) => string {
  const oldLines = toLines(old)
  const newLines = toLines(fresh)
  const pairs = pairLines(oldLines, newLines)
  if (!pairs) return (_region, eol) => toEol(fresh, eol)
  return (region, eol) => {
    const fileLines = toLines(region)
    return newLines.map((line, i) => mergeLine(fileLines[pairs[i] ?? -1], oldLines[pairs[i] ?? -1], line, eol)).join('')
  }
}

/** Returns one new line, with the file's spelling where the edit does not change the line. */
function mergeLine(file: Line | undefined, old: Line | undefined, fresh: Line, eol: Break): string {
  if (!file || !old) return fresh.body + (fresh.end && eol)
  const end = fresh.end && (file.end || eol)
  const [fileText, fileBlanks] = splitBlanks(file.body)
  const [oldText, oldBlanks] = splitBlanks(old.body)
  const [newText, newBlanks] = splitBlanks(fresh.body)
  const blanks = newBlanks === oldBlanks ? fileBlanks : newBlanks
  const text = newText === oldText ? fileText : mergeText(fileText, oldText, newText)
  return text === undefined ? fresh.body + end : text + blanks + end
}

/** Merges the text of one line. Undefined if the spellings cannot be aligned. */
function mergeText(fileText: string, oldSpelled: string, newSpelled: string): string | undefined {
  // In one Unicode form, the old text and the file have the same length, so that their offsets correspond.
  const file = composeText(fileText)
  const fresh = composeText(newSpelled)
  const [oldText, newText] = [normalized(oldSpelled), fresh.text]
  if (file.text.length !== oldText.length) return undefined
  const shorter = Math.min(oldText.length, newText.length)
  let head = 0
  while (head < shorter && oldText.charCodeAt(head) === newText.charCodeAt(head)) head++
  let tail = 0
  while (tail < shorter - head && oldText.charCodeAt(oldText.length - 1 - tail) === newText.charCodeAt(newText.length - 1 - tail)) tail++
  // Do not split a character that consists of several code units in one of the two texts.
  while (file.toOriginal(head) < 0 || fresh.toOriginal(head) < 0) head--
  while (file.toOriginal(file.text.length - tail) < 0 || fresh.toOriginal(newText.length - tail) < 0) tail--
  const middle = newSpelled.slice(fresh.toOriginal(head), fresh.toOriginal(newText.length - tail))
  return fileText.slice(0, file.toOriginal(head)) + middle + fileText.slice(file.toOriginal(file.text.length - tail))
}

function splitBlanks(body: string): readonly [string, string] {
  const at = skipBlanksBack(foldUnicode(body), body.length, 0)
  return [body.slice(0, at), body.slice(at)]
}
