import { InputError } from '../../errors/index.js'
import type { Steps } from '../steps.js'
import { attempt, locateMarked } from './byte-order-mark.js'
import { type HunkPlace, hunkAmbiguous, hunkError, unmarkedLine } from './errors.js'
import type { LineTable } from './line-table.js'
import type { Located, LocateOptions } from './locate.js'
import { indentOf, reindented } from './reindent.js'
import type { Hunk, PatchLine } from './types.js'

/**
 * Like `locateMarked`, for a hunk whose context lines may lack the leading space. The content of the file decides whether they do. If the
 * lines match the file without that space, added lines stay as they are. Otherwise added lines get the indentation of the file.
 *
 * @throws {InputError} `no_match`, `ambiguous_match`; `invalid_input` for a line without a mark that the file does not contain
 */
export function* locateUnmarked(table: LineTable, hunk: Hunk, cursor: number, place: HunkPlace, options: LocateOptions): Steps<Located> {
  const asGiven = yield* attempt(locateMarked(table, hunk, cursor, place, options))
  const found = asGiven instanceof InputError ? undefined : asGiven
  if (!found && (asGiven as InputError).details.missing !== 'lines') throw asGiven
  if (found && isSame(found) && !hunk.mistake) return hunk.miscounted ? checked(table, found, place) : found
  const all = yield* attempt(locateMarked(table, { ...hunk, lines: hunk.lines.map(withSpace) }, cursor, place, options))
  const spaced = all instanceof InputError || !isSame(all) ? undefined : all
  if (found && isSame(found)) {
    if (spaced && spaced.at !== found.at)
      throw hunkAmbiguous(place, 'lacks the space before unchanged lines, and matches', [found.at + 1, spaced.at + 1])
    return checked(table, found, place)
  }
  const { fits, shows } = found || spaced ? compared(table, hunk, (spaced ?? found)?.at ?? 0) : NONE
  if (!spaced && !fits) {
    if (hunk.mistake) throw hunk.mistake
    if (!found) throw asGiven
    return yield* reindented(table, found, place)
  }
  const unmarked: Located = spaced ?? { ...(found as Located), level: 'trailing_space' }
  return checked(table, hunk.mistake || !found || shows ? unmarked : yield* decided(table, found, unmarked, place), place)
}

/**
 * Checks a hunk that lacks lines or leading spaces, in which a context line may look like an added line.
 *
 * @throws {InputError} `no_match`
 */
function checked(table: LineTable, located: Located, place: HunkPlace): Located {
  let index = located.at
  for (const { mark, text } of located.lines) {
    if (mark !== '+') index++
    else if (index < table.count && table.line(index) === `+${text}`) throw unmarkedLine(place, `+${text}`)
  }
  return located
}

const NONE = { fits: false, shows: false }

const isSame = ({ level }: Located): boolean => level === 'exact' || level === 'trailing_space'

/** Restores the first space of a line, which was read as the mark. */
const withSpace = (line: PatchLine): PatchLine =>
  line.mark === ' ' && !line.unmarked && line.text !== '' ? { ...line, text: ` ${line.text}` } : line

/**
 * Compares a hunk with the file. `fits`: each old line matches, some context lines with one more space. `shows`: an indented line matches
 * as it is in the patch, so the added lines already have the indentation of the file.
 */
function compared(table: LineTable, { lines }: Hunk, at: number): { readonly fits: boolean; readonly shows: boolean } {
  let [index, fits, shows] = [at, true, false]
  for (const line of lines) {
    if (line.mark === '+') continue
    const actual = table.line(index++).trimEnd()
    const text = line.text.trimEnd()
    if (text !== actual) fits &&= withSpace(line).text.trimEnd() === actual
    else if (text !== '' && (line.mark === '-' || indentOf(text) !== '')) shows = true
  }
  return { fits, shows }
}

/**
 * Decides between two readings: the whole hunk is indented one space less than the file, or its context lines lack the leading space. If
 * shifting the added lines would produce an indentation that the file does not use, the second reading applies.
 *
 * @throws {InputError} `no_match` if both are possible
 */
function* decided(table: LineTable, asGiven: Located, unmarked: Located, place: HunkPlace): Steps<Located> {
  const deeper = yield* attempt(reindented(table, asGiven, place))
  if (deeper instanceof InputError || deeper.lines.every(({ text }, i) => text === asGiven.lines[i]?.text)) return unmarked
  let level = 0
  let index = asGiven.at
  for (const { mark } of asGiven.lines) if (mark !== '+') level = commonDivisor(level, indentOf(table.line(index++)).length)
  if (level > 1 && deeper.lines.some(({ mark, text }) => mark === '+' && indentOf(text).length % level > 0)) return unmarked
  const problem =
    'has unchanged lines with one space less than the file: they lack the leading space of the diff, or the hunk is indented less. ' +
    'Begin each unchanged line with a space, followed by the line from the file'
  throw hunkError('no_match', place, problem)
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))
