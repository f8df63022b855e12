import { InputError } from '../../errors/index.js'
import type { Steps } from '../steps.js'
import type { HunkPlace } from './errors.js'
import { isOld } from './hunk-lines.js'
import type { LineTable } from './line-table.js'
import { type Located, type LocateOptions, locate } from './locate.js'
import type { Hunk, PatchLine } from './types.js'

const isMarked = (line: PatchLine | undefined): boolean => line?.text.charCodeAt(0) === 0xfeff

/**
 * Like `locate`, for a hunk that may contain the byte order mark of the file. `table` has the text without its mark, so a hunk that begins
 * at line 1 is located and applied without the mark. Anywhere else U+FEFF is an ordinary character.
 *
 * @throws {InputError} `no_match`, `ambiguous_match`
 */
export function* locateMarked(table: LineTable, hunk: Hunk, cursor: number, place: HunkPlace, options: LocateOptions): Steps<Located> {
  const bare = cursor === 0 ? withoutMark(hunk) : undefined
  if (!bare) return yield* locate(table, hunk, cursor, place, options)
  const asGiven = yield* attempt(locate(table, hunk, cursor, place, options))
  if (!(asGiven instanceof InputError) && asGiven.level === 'exact' && asGiven.at > 0) return asGiven
  const found = yield* attempt(locate(table, bare, cursor, place, options))
  if (!(found instanceof InputError) && found.at === 0) return found
  if (asGiven instanceof InputError) throw asGiven
  return asGiven
}

/** Whether a hunk that begins at line 1 adds or removes the mark; undefined if it changes nothing. */
export function bomAfter(hunk: Hunk): boolean | undefined {
  const { old, fresh } = firstLines(hunk)
  if (isMarked(old) === isMarked(fresh)) return undefined
  // A context line keeps its mark.
  return isMarked(fresh) || (old?.mark === ' ' ? undefined : false)
}

interface FirstLines {
  /** The first old line; undefined if there is none. */
  readonly old: PatchLine | undefined
  readonly fresh: PatchLine | undefined
}

const firstLines = ({ lines }: Hunk): FirstLines => ({
  old: lines.find(isOld),
  fresh: lines.find(({ mark }) => mark !== '-'),
})

/** Removes the mark from the first lines of a hunk; undefined if they have no mark. */
function withoutMark(hunk: Hunk): Hunk | undefined {
  const { old, fresh } = firstLines(hunk)
  if (!isMarked(old) && !isMarked(fresh)) return undefined
  const bare = (line: PatchLine): PatchLine =>
    (line === old || line === fresh) && isMarked(line) ? { ...line, text: line.text.slice(1) } : line
  return { ...hunk, lines: hunk.lines.map(bare) }
}

/** Runs steps. Returns an InputError instead of throwing it. */
export function* attempt<T>(steps: Steps<T>): Steps<T | InputError> {
  try {
    return yield* steps
  } catch (error) {
    if (error instanceof InputError) return error
    throw error
  }
}
