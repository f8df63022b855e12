import type { JsonValue } from '../../../types/tool.js'
import { CassetteError, cut, type Difference, json, shownDifference } from './difference.js'
import type { Entry, EntryKind } from './format.js'
import { LEAST_SECRET, REDACTED } from './secrets.js'

interface EntryOfLine {
  readonly entry: Entry
  readonly line: number
}

const ACCEPT = 'To accept the change, run once with mode "update"; "record" records everything anew.'

/** The error for an entry of the recording that the replay did not use. `others`: number of further such entries. */
export function unused({ line, entry }: EntryOfLine, others: number): CassetteError {
  const rest = others === 0 ? '' : ` and ${others} more`
  return new CassetteError(
    `Cannot replay the cassette: the run did not use line ${line}${rest}.\n  recorded: ${entry.kind} ${cut(json(entry.asked))}\nTo drop unused entries, run once with mode "update".`,
    line,
  )
}

/** The error for a request after the last recorded one of its kind. */
export const exhausted = (kind: EntryKind, asked: JsonValue): CassetteError =>
  new CassetteError(`Cannot replay the cassette: it has no further entry of kind "${kind}".\n  asked: ${cut(json(asked))}\n${ACCEPT}`)

/** The error for an entry whose operation had not ended when the recording ended. */
export function unfinished({ kind, asked }: Entry, line: number | undefined): CassetteError {
  return new CassetteError(
    `Cannot replay the cassette: line ${line} has no answer, because the program closed the cassette before the answer came.\n  recorded: ${kind} ${cut(json(asked))}\nRecord it again, and close the cassette after the run has ended.`,
    line,
  )
}

/** The error for lines that were edited, although every answer is as recorded. */
export function editedError(edited: readonly number[]): CassetteError | undefined {
  const [line] = edited
  if (line === undefined) return undefined
  return new CassetteError(
    `Cannot replay the cassette: ${wereEdited(edited)} All answers are as recorded.\nTo keep the edit, delete "sum" from the line. "record" records everything anew.`,
    line,
  )
}

/** Adds the edited lines, which may be the cause: an edited answer of a command changes the result of its call, which is another line. */
export const withEdited = (difference: CassetteError, edited: readonly number[]): CassetteError =>
  edited.length === 0 ? difference : new CassetteError(`${difference.message}\nIn the file, ${wereEdited(edited)}`, difference.line)

/** The error for a recorded sleep that does not end in the replay. */
export const stalled = ({ line, entry }: EntryOfLine, waitedMs: number): CassetteError =>
  new CassetteError(
    `Cannot replay the cassette: no sleep ends at the time of line ${line}, and nothing happened for ${waitedMs / 1000} s longer than in the recording.\n  recorded: time ${json(entry.asked)}\n${ACCEPT}`,
    line,
  )

const wereEdited = (edited: readonly number[]): string =>
  `${edited.length === 1 ? 'line' : 'lines'} ${edited.slice(0, 5).join(', ')}${edited.length > 5 ? ', …' : ''} ${edited.length === 1 ? 'was' : 'were'} edited after the recording.`

/** The error for a secret whose pieces are too short to redact in the results of calls. */
export const inPieces = (line: number): CassetteError =>
  new CassetteError(
    `Cannot write the cassette: the process of line ${line} printed a secret in pieces of less than ${LEAST_SECRET} characters. Print it in one piece, or not at all.`,
    line,
  )

/** The error for a request or an answer that differs from the recording. */
export function differenceOf(
  entry: Entry,
  line: number | undefined,
  verb: string,
  difference: Difference,
  asked: JsonValue = entry.asked,
): CassetteError {
  const where = difference.path === '' ? '' : ` at ${difference.path}`
  const isRedacted = json(entry).includes(REDACTED)
  // The current request may contain a secret that only the recording knows.
  const request = isRedacted ? `recorded request: ${cut(json(entry.asked))}` : `asked:    ${cut(json(asked))}`
  return new CassetteError(
    `Cannot replay the cassette: a ${entry.kind} ${verb} line ${line}${where}.\n  ${request}\n${shownDifference(difference, isRedacted)}\n${ACCEPT}`,
    line,
  )
}
