import { finish, type Steps } from '../steps.js'
import { bomAfter } from './byte-order-mark.js'
import { hunkError } from './errors.js'
import { isOld } from './hunk-lines.js'
import { type LineTable, lineTable, type PatchLevel } from './line-table.js'
import type { Located, LocateOptions } from './locate.js'
import type { locateAsSdk } from './locate-as-sdk.js'
import { spliceSteps } from './splice.js'
import type { Hunk } from './types.js'
import { locateUnmarked } from './unmarked-lines.js'

export type { PatchLevel } from './line-table.js'

/** Joining and encoding more than this would hold up everything else. */
const MAX_RESULT_UNITS = 32 * 1024 * 1024
/** What looks at all lines of a hunk at once takes some milliseconds for as many. */
const MAX_HUNK_LINES = 50_000
/** Hunks found in one step. */
const HUNKS_A_STEP = 64

export interface ApplyHunksOptions extends Partial<LocateOptions> {
  /** Names the file in messages. */
  readonly subject: string
  /** Give the result a final line break, whatever the file had. Default false. */
  readonly finalBreak?: boolean
  /** `locateAsSdk`: put hunks and new lines where and as `applyDiff` of `@openai/agents` does, or refuse them. */
  readonly asSdk?: typeof locateAsSdk
}

export interface HunksOutcome {
  readonly text: string
  /** One a hunk: how its lines were found. */
  readonly levels: readonly PatchLevel[]
  /** The hunks give the file a byte order mark, or take it away; undefined: it stays as it is. */
  readonly bom?: boolean
}

/**
 * Applies the hunks to one text (without byte order mark), each found behind the one before, and all of them in the text as it was.
 * Lines are looked up exactly, then without the white space at their ends, then without that at both ends, then with dashes, quotes and
 * spaces folded as well; line endings do not count. Where the indentation differs, added lines get that of the file. `ambiguity` (default `refuse`): what to do when a hunk fits several places and no
 * line number decides.
 *
 * @throws {InputError} `no_match`, `ambiguous_match`
 */
export function applyHunks(text: string, hunks: readonly Hunk[], options: ApplyHunksOptions): HunksOutcome {
  return finish(hunkSteps(text, hunks, options))
}

/** `applyHunks` in steps; of a text, or of its lines. */
export function* hunkSteps(given: string | LineTable, hunks: readonly Hunk[], options: ApplyHunksOptions): Steps<HunksOutcome> {
  const { subject, ambiguity = 'refuse', finalBreak = false, asSdk } = options
  const table = typeof given === 'string' ? yield* lineTable(given) : given
  const located: Located[] = []
  let cursor = 0
  let bom: boolean | undefined
  for (const [index, hunk] of hunks.entries()) {
    const place = { subject, index, total: hunks.length, line: hunk.line, before: located }
    if (hunk.lines.length > MAX_HUNK_LINES)
      throw hunkError('invalid_input', place, `has more than ${MAX_HUNK_LINES} lines: give several smaller hunks, or write the file`)
    const found = asSdk ? yield* asSdk(table, hunk, cursor, place) : yield* locateUnmarked(table, hunk, cursor, place, { ambiguity })
    if (found.at === 0 && index === 0) bom = bomAfter(hunk)
    located.push(found)
    cursor = found.at + found.lines.filter(isOld).length
    if (index % HUNKS_A_STEP === 0) yield
  }
  const result = yield* spliceSteps(table, located, asSdk !== undefined)
  const after = finalBreak && result !== '' && !result.endsWith('\n') ? result + lastBreak(table.text) : result
  if (after.length > MAX_RESULT_UNITS) {
    const place = { subject, index: 0, total: hunks.length, line: hunks[0]?.line ?? 1 }
    throw hunkError('invalid_input', place, `makes a file longer than ${MAX_RESULT_UNITS} characters`)
  }
  return { text: after, levels: located.map(({ level }) => level), ...(bom !== undefined && { bom }) }
}

/** The last line break of a text; LF where it has none. */
const lastBreak = (text: string): string => (/\r$/.test(text.slice(0, Math.max(0, text.lastIndexOf('\n')))) ? '\r\n' : '\n')
