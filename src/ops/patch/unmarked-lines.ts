import { InputError } from '../../errors/index.js'
import type { Steps } from '../steps.js'
import { attempt, locateMarked } from './byte-order-mark.js'
import { type HunkPlace, hunkAmbiguous, hunkError } from './errors.js'
import type { LineTable } from './line-table.js'
import type { Located, LocateOptions } from './locate.js'
import { indentOf, reindented } from './reindent.js'
import type { Hunk, PatchLine } from './types.js'

/** Lines above and below a hunk whose indentations show which ones the file uses. */
const LINES_AROUND = 1000

/**
 * `locateMarked` for a hunk whose lines that stay may lack the space before them: the file decides. Read so, they have to stand there as
 * they are, and added lines are taken as they are. Else added lines get the indentation of the file.
 *
 * @throws {InputError} `no_match`, `ambiguous_match`; `invalid_input` for a line without a mark that is none of the file
 */
export function* locateUnmarked(table: LineTable, hunk: Hunk, cursor: number, place: HunkPlace, options: LocateOptions): Steps<Located> {
  const asGiven = yield* attempt(locateMarked(table, hunk, cursor, place, options))
  const found = asGiven instanceof InputError ? undefined : asGiven
  if (!found && (asGiven as InputError).details.missing !== 'lines') throw asGiven
  if (found && isSame(found) && !hunk.mistake) return found
  const all = yield* attempt(locateMarked(table, { ...hunk, lines: hunk.lines.map(withSpace) }, cursor, place, options))
  const spaced = all instanceof InputError || !isSame(all) ? undefined : all
  if (found && isSame(found)) {
    if (spaced && spaced.at !== found.at)
      throw hunkAmbiguous(place, 'lacks the space before lines that stay, and fits', [found.at + 1, spaced.at + 1])
    return found
  }
  const unmarked = spaced ?? (found && lineByLine(table, found))
  if (unmarked && (hunk.mistake || !found || showsDepth(table, hunk, unmarked.at))) return unmarked
  if (hunk.mistake) throw hunk.mistake
  if (!found) throw asGiven
  return yield* unmarked ? decided(table, found, unmarked, place) : reindented(table, found, place)
}

const isSame = ({ level }: Located): boolean => level === 'exact' || level === 'trailing_space'

/** What was taken for the mark is the first space of the line. */
const withSpace = (line: PatchLine): PatchLine =>
  line.mark === ' ' && !line.unmarked && line.text !== '' ? { ...line, text: ` ${line.text}` } : line

/** Some of the lines that stay lack their marks: with one more space, or without, each is the line of the file. */
function lineByLine(table: LineTable, located: Located): Located | undefined {
  let index = located.at
  const isThere = (line: PatchLine): boolean => {
    if (line.mark === '+') return true
    const actual = table.line(index++).trimEnd()
    return line.text.trimEnd() === actual || withSpace(line).text.trimEnd() === actual
  }
  return located.lines.every(isThere) ? { ...located, level: 'trailing_space' } : undefined
}

/** Whether an indented old line is that of the file as the patch has it: then the added lines have the indentation of the file, too. */
function showsDepth(table: LineTable, { lines }: Hunk, at: number): boolean {
  let index = at
  return lines.some(({ mark, text }) => {
    if (mark === '+') return false
    const isIndented = mark === '-' ? text.trim() !== '' : indentOf(text) !== '' && text.trim() !== ''
    return table.line(index++).trimEnd() === text.trimEnd() && isIndented
  })
}

/**
 * All of the hunk stands one space less deep, or its lines that stay lack the space before them. An added line that would get an
 * indentation which the file does not use shows which of the two is meant.
 *
 * @throws {InputError} `no_match` where both may be
 */
function* decided(table: LineTable, asGiven: Located, unmarked: Located, place: HunkPlace): Steps<Located> {
  const deeper = yield* attempt(reindented(table, asGiven, place))
  if (deeper instanceof InputError || deeper.lines.every(({ mark, text }, i) => mark !== '+' || text === asGiven.lines[i]?.text))
    return unmarked
  const isUsed = indentsAround(table, asGiven)
  if (isUsed(unmarked) && !isUsed(deeper)) return unmarked
  const problem =
    'has lines that stay with one space less than the file has: either they lack the space that marks such a line, or all of the hunk ' +
    'stands one space less deep. Begin each line that stays with a space, and after it the line as the file has it'
  throw hunkError('no_match', place, problem)
}

/** Whether all added lines have indentations that lines around them have, or whole levels of those that the hunk shows. */
function indentsAround(table: LineTable, { at, lines }: Located): (located: Located) => boolean {
  const used = new Set<string>([''])
  const last = Math.min(table.count, at + lines.length + LINES_AROUND)
  for (let i = Math.max(0, at - LINES_AROUND); i < last; i++) if (table.line(i).trim() !== '') used.add(indentOf(table.line(i)))
  let level = 0
  let index = at
  for (const { mark, text } of lines) {
    if (mark === '+') continue
    const actual = table.line(index++)
    if (text.trim() !== '') level = commonDivisor(level, indentOf(actual).length)
  }
  const isLevel = (indent: string): boolean => level > 1 && indent.length % level === 0
  return (located) =>
    located.lines.every(({ mark, text }) => mark !== '+' || text.trim() === '' || used.has(indentOf(text)) || isLevel(indentOf(text)))
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))
