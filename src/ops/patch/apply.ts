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

/** Maximum size of the result in UTF-16 units: joining and encoding a longer text would block other work. */
const MAX_RESULT_UNITS = 32 * 1024 * 1024
/** Maximum number of lines in a hunk. An operation on all lines at once takes some milliseconds for this many. */
const MAX_HUNK_LINES = 50_000
/** Hunks located in one step. */
const HUNKS_A_STEP = 64

export interface ApplyHunksOptions extends Partial<LocateOptions> {
  /** The name of the file in messages. */
  readonly subject: string
  /** Add a final line break to the result even if the file had none. Default false. */
  readonly finalBreak?: boolean
  /** `locateAsSdk`: place hunks and new lines exactly as `applyDiff` of `@openai/agents` does, or reject the patch. */
  readonly asSdk?: typeof locateAsSdk
}

export interface HunksOutcome {
  readonly text: string
  /** For each hunk, the level at which its lines were found. */
  readonly levels: readonly PatchLevel[]
  /** True if the hunks add a byte order mark, false if they remove it; undefined: unchanged. */
  readonly bom?: boolean
}

/**
 * Applies hunks to a text without byte order mark. Locates each hunk in the original text, after the previous hunk. Matches lines exactly,
 * then without trailing white space, then without surrounding white space, then with normalised dashes, quotes and spaces; ignores line
 * endings. If the indentation differs, added lines get the indentation of the file. `ambiguity` (default `refuse`): what to do with a hunk
 * that fits several places if no line number decides.
 *
 * @throws {InputError} `no_match`, `ambiguous_match`
 */
export function applyHunks(text: string, hunks: readonly Hunk[], options: ApplyHunksOptions): HunksOutcome {
  return finish(hunkSteps(text, hunks, options))
}

/** Runs `applyHunks` in steps, on a text or on its line table. */
export function* hunkSteps(given: string | LineTable, hunks: readonly Hunk[], options: ApplyHunksOptions): Steps<HunksOutcome> {
  const { subject, ambiguity = 'refuse', finalBreak = false, asSdk } = options
  const table = typeof given === 'string' ? yield* lineTable(given) : given
  const located: Located[] = []
  let cursor = 0
  let bom: boolean | undefined
  for (const [index, hunk] of hunks.entries()) {
    const place = { subject, index, total: hunks.length, line: hunk.line, before: located }
    if (hunk.lines.length > MAX_HUNK_LINES)
      throw hunkError('invalid_input', place, `has more than ${MAX_HUNK_LINES} lines: split it into smaller hunks, or write the file`)
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

/** Returns the last line break of a text; LF if the text has none. */
const lastBreak = (text: string): string => (/\r$/.test(text.slice(0, Math.max(0, text.lastIndexOf('\n')))) ? '\r\n' : '\n')
