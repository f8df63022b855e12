import { InputError } from '../../errors/index.js'
import type { Steps } from '../steps.js'
import { attempt, locateMarked } from './byte-order-mark.js'
import type { HunkPlace } from './errors.js'
import type { LineTable } from './line-table.js'
import type { Located, LocateOptions } from './locate.js'
import type { Hunk, PatchLine } from './types.js'

/**
 * `locateMarked` for a hunk whose lines that stay may lack the space before them: the file decides. Read so, they have to stand there as
 * they are.
 *
 * @throws {InputError} `no_match`, `ambiguous_match`; `invalid_input` for a line without a mark that is none of the file
 */
export function* locateUnmarked(table: LineTable, hunk: Hunk, cursor: number, place: HunkPlace, options: LocateOptions): Steps<Located> {
  const asGiven = yield* attempt(locateMarked(table, hunk, cursor, place, options))
  if (!(asGiven instanceof InputError) && isSame(asGiven)) return asGiven
  if (asGiven instanceof InputError && asGiven.details.missing !== 'lines') throw asGiven
  if (hunk.mistake || hunk.lines.some(({ mark, text }) => mark === '-' && text.trim() !== '')) {
    const bare = yield* attempt(locateMarked(table, { ...hunk, lines: hunk.lines.map(withSpace) }, cursor, place, options))
    if (!(bare instanceof InputError) && isSame(bare)) return bare
  }
  if (hunk.mistake) throw hunk.mistake
  if (asGiven instanceof InputError) throw asGiven
  return asGiven
}

const isSame = ({ level }: Located): boolean => level === 'exact' || level === 'trailing_space'

/** What was taken for the mark is the first space of the line. */
const withSpace = (line: PatchLine): PatchLine =>
  line.mark === ' ' && !line.unmarked && line.text !== '' ? { ...line, text: ` ${line.text}` } : line
