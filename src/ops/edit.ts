import { InputError } from '../errors/index.js'
import { chunkedText } from './chunked-text.js'
import { openBatch, type TextEdit } from './edit-batch.js'
import { ambiguous, type EditPlace, notFound, refuse } from './edit-errors.js'
import { findLevelSteps, type Match, type Matcher, type MatchLevel } from './edit-lookup.js'
import { replacer } from './edit-splice.js'
import { finish, type Steps } from './steps.js'

export type { TextEdit } from './edit-batch.js'
export type { MatchLevel } from './edit-lookup.js'

/** Joining and encoding more than this would hold up everything else. */
const MAX_RESULT_UNITS = 32 * 1024 * 1024
/** Over all edits of one call; they take about a microsecond each. */
const MAX_REPLACEMENTS = 2_000_000
/** To prepare one costs as much as some edits. */
const MAX_BATCHES = 4
/** Replacements made in one step. */
const REPLACED_A_STEP = 4096

export interface EditOutcome {
  readonly text: string
  /** Over all edits. */
  readonly replacements: number
  /** One an edit: how its old text was found. */
  readonly levels: readonly MatchLevel[]
}

/**
 * Applies `edits` in order, each to the result of the one before. Old text is looked up exactly, then with line endings folded, then
 * without the white space at line ends, then with dashes, quotes and spaces folded; what is outside the match never changes.
 * `subject` names the file in messages.
 *
 * @throws {InputError} `no_match`, `ambiguous_match`, or `invalid_input` for an empty old text, for edits that change nothing and for
 * more than 2,000,000 replacements.
 */
export function applyEdits(text: string, edits: readonly TextEdit[], subject: string): EditOutcome {
  return finish(editSteps(text, edits, subject))
}

/** `applyEdits` in steps: between edits, and within those that take long. */
export function* editSteps(text: string, edits: readonly TextEdit[], subject: string): Steps<EditOutcome> {
  let current = text
  let replacements = 0
  const levels: MatchLevel[] = []
  let misses = 0
  let batch = yield* openBatch(text, edits)
  for (const [index, edit] of edits.entries()) {
    if (index > 0) yield
    const level = batch?.next()
    if (level) {
      replacements++
      levels.push(level)
      continue
    }
    if (batch) current = batch.text()
    const outcome = yield* applyEdit(current, edit, { subject, index, total: edits.length }, MAX_REPLACEMENTS - replacements)
    current = outcome.text
    replacements += outcome.count
    levels.push(outcome.level)
    batch = batch && misses++ < MAX_BATCHES ? yield* openBatch(current, edits.slice(index + 1)) : undefined
  }
  if (batch) current = batch.text()
  if (current === text) throw unchanged(subject)
  return { text: current, replacements, levels }
}

interface Applied {
  readonly text: string
  readonly count: number
  readonly level: MatchLevel
}

function* applyEdit(text: string, { oldString, newString, replaceAll }: TextEdit, place: EditPlace, limit: number): Steps<Applied> {
  if (oldString === '') throw refuse(place, 'old_string', 'old text is empty, which only creates a missing file: give the text to replace')
  if (oldString === newString) throw refuse(place, 'new_string', 'old and new text are equal: change the new text, or leave this edit out')
  const matcher = yield* findLevelSteps(text, oldString)
  if (!matcher) throw yield* notFound(place, text, oldString, newString)
  const replace = replacer(text, matcher.level, oldString, newString)
  if (replaceAll) return yield* replaceEvery(text, { matcher, replace, place, limit })
  const match = uniqueMatch(matcher)
  if (!match) throw ambiguous(place, text, matcher)
  return { text: text.slice(0, match.start) + replace(match) + text.slice(match.end), count: 1, level: matcher.level }
}

/** A match that overlaps the first is a second candidate too. */
function uniqueMatch(matcher: Matcher): Match | undefined {
  const match = matcher.next(0)
  return match && !matcher.next(match.at + 1) ? match : undefined
}

interface Replacement {
  readonly matcher: Matcher
  readonly replace: (match: Match) => string
  readonly place: EditPlace
  readonly limit: number
}

function* replaceEvery(text: string, { matcher, replace, place, limit }: Replacement): Steps<Applied> {
  const out = chunkedText()
  let from = 0
  let count = 0
  for (let match = matcher.next(0); match; match = matcher.next(match.after)) {
    // Two matches that meet inside a CRLF: the CR went with the first.
    const start = Math.max(from, match.start)
    out.push(text.slice(from, start))
    out.push(replace({ ...match, start }))
    if (out.length() > MAX_RESULT_UNITS) throw refuse(place, 'new_string', `the result is longer than ${MAX_RESULT_UNITS} characters`)
    from = match.end
    count++
    if (count > limit)
      throw refuse(place, 'old_string', `more than ${MAX_REPLACEMENTS} replacements: give a longer text, or write the file`)
    if (count % REPLACED_A_STEP === 0) yield
  }
  out.push(text.slice(from))
  return { text: out.join(), count, level: matcher.level }
}

function unchanged(subject: string): InputError {
  const message = 'the edits leave the file as it is (line endings are kept as the file has them)'
  return new InputError('invalid_input', `Cannot edit "${subject}": ${message}`, { issues: [{ path: 'edits', message }] })
}
