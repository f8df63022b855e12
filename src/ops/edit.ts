import { InputError } from '../errors/index.js'
import { chunkedText } from './chunked-text.js'
import { type EditedText, editedText } from './edit-blocks.js'
import { ambiguous, type EditPlace, notFound, refuse } from './edit-errors.js'
import { type FoundIn, findLevelSteps, type Match, type MatchLevel, type Sought } from './edit-lookup.js'
import { replacer } from './edit-splice.js'
import { finish, type Steps } from './steps.js'
import { visibleName } from './visible-name.js'

export type { MatchLevel } from './edit-lookup.js'

/** Maximum length of the result in UTF-16 units: joining and encoding a longer text would block other work. */
const MAX_RESULT_UNITS = 32 * 1024 * 1024
/** Maximum number of replacements in one call. Each takes about a microsecond. */
const MAX_REPLACEMENTS = 2_000_000
/** Maximum length of one old text. */
const MAX_OLD_UNITS = 2 * 1024 * 1024
/** Replacements made in one step. */
const REPLACED_A_STEP = 4096

export interface TextEdit {
  /** The text to replace; not empty. The text must occur exactly once in the file, unless `replaceAll` is set. */
  readonly oldString: string
  /** Literal text. Its line endings are adapted to the file. */
  readonly newString: string
  /** Replace all matches instead of requiring exactly one. Default false. */
  readonly replaceAll?: boolean
}

export interface EditOutcome {
  readonly text: string
  /** Total number of replacements of all edits. */
  readonly replacements: number
  /** For each edit, the level at which its old text was found. */
  readonly levels: readonly MatchLevel[]
}

/**
 * Applies `edits` in order, each to the result of the previous one. Searches old text exactly, then with normalised line endings, then
 * without white space at line ends, then with normalised dashes, quotes and spaces. Text outside the match never changes. `subject` names
 * the file in messages.
 *
 * @throws {InputError} `no_match`, `ambiguous_match`, or `invalid_input` for an empty old text, for edits that change nothing and for more
 * than 2,000,000 replacements.
 */
export function applyEdits(text: string, edits: readonly TextEdit[], subject: string): EditOutcome {
  return finish(editSteps(text, edits, subject))
}

/** Runs `applyEdits` in steps: between edits, and within long ones. */
export function* editSteps(text: string, edits: readonly TextEdit[], subject: string): Steps<EditOutcome> {
  const olds = edits.map(({ oldString }) => oldString)
  const tooLong = olds.findIndex((old) => old.length > MAX_OLD_UNITS)
  if (tooLong >= 0)
    throw refuse(
      { subject, index: tooLong, total: edits.length },
      'old_string',
      `old text is longer than ${MAX_OLD_UNITS} characters: quote less, or write the whole file`,
    )
  const edited = yield* editedText(text, olds)
  const hasCr = text.includes('\r') || edits.some(({ newString }) => newString.includes('\r'))
  let replacements = 0
  const levels: MatchLevel[] = []
  for (const [index, edit] of edits.entries()) {
    if (index > 0) yield
    const outcome = yield* applyEdit(edited, edit, hasCr, { subject, index, total: edits.length }, MAX_REPLACEMENTS - replacements)
    replacements += outcome.count
    levels.push(outcome.level)
  }
  const after = edited.join()
  if (after === text) throw unchanged(subject)
  return { text: after, replacements, levels }
}

interface Applied {
  readonly count: number
  readonly level: MatchLevel
}

function* applyEdit(edited: EditedText, edit: TextEdit, hasCr: boolean, place: EditPlace, limit: number): Steps<Applied> {
  const { oldString, newString, replaceAll } = edit
  if (oldString === '') throw refuse(place, 'old_string', 'old text is empty, which only creates a missing file: pass the text to replace')
  if (oldString === newString) throw refuse(place, 'new_string', 'old and new text are equal: change the new text, or remove this edit')
  const windows = edited.windows(oldString, hasCr && newString.includes('\n'))
  const found = yield* findLevelSteps(windows, oldString, replaceAll)
  const [only] = found
  if (!only) throw yield* notFound(place, edited.join(), oldString, newString)
  const { level } = only.matcher
  if (replaceAll) {
    let count = 0
    let isExact = true
    // Replace from the end, so that earlier offsets stay valid.
    for (const each of found.toReversed()) {
      const { start, end, fresh, replaced, exact } = yield* replaceEvery(each, edit, place, limit - count)
      checkLength(edited.length() + fresh.length - (end - start), place)
      yield* edited.replace(each.where, start, end, fresh)
      count += replaced
      isExact &&= exact
    }
    return { count, level: isExact ? 'exact' : level }
  }
  const match = found.length === 1 ? uniqueMatch(only) : undefined
  if (!match) throw yield* notUnique(edited, oldString, place)
  const fresh = replacer(only.where.text, level, oldString, newString)(match)
  checkLength(edited.length() + fresh.length - (match.end - match.start), place)
  yield* edited.replace(only.where, match.start, match.end, fresh)
  return { count: 1, level }
}

/** Finds the only match. An overlapping second match counts, too, and makes it ambiguous. */
function uniqueMatch({ matcher }: FoundIn<Sought>): Match | undefined {
  const match = matcher.next(0)
  return match && !matcher.next(match.at + 1) ? match : undefined
}

function* notUnique(edited: EditedText, old: string, place: EditPlace): Steps<InputError> {
  const text = edited.join()
  const [found] = yield* findLevelSteps([{ text }], old)
  return found ? ambiguous(place, text, found.matcher) : refuse(place, 'old_string', 'old text appears more than once')
}

interface Replaced {
  /** The range from the first match to the last. */
  readonly start: number
  readonly end: number
  readonly fresh: string
  readonly replaced: number
  /** Whether every replaced text was exactly the old text. */
  readonly exact: boolean
}

function* replaceEvery({ where, matcher }: FoundIn<Sought>, edit: TextEdit, place: EditPlace, limit: number): Steps<Replaced> {
  const { text } = where
  const replace = replacer(text, matcher.level, edit.oldString, edit.newString)
  const out = chunkedText()
  let first = -1
  let from = 0
  let replaced = 0
  let exact = true
  for (let match = matcher.next(0); match; match = matcher.next(match.after)) {
    if (first < 0) first = from = match.start
    // If two matches meet inside a CRLF, the CR belongs to the first match.
    const start = Math.max(from, match.start)
    out.push(text.slice(from, start))
    out.push(replace({ ...match, start }))
    checkLength(out.length(), place)
    exact &&= match.end - start === edit.oldString.length && text.startsWith(edit.oldString, start)
    from = match.end
    replaced++
    if (replaced > limit)
      throw refuse(place, 'old_string', `more than ${MAX_REPLACEMENTS} replacements: use a longer old text, or write the file`)
    if (replaced % REPLACED_A_STEP === 0) yield
  }
  return { start: first, end: from, fresh: out.join(), replaced, exact }
}

function checkLength(length: number, place: EditPlace): void {
  if (length > MAX_RESULT_UNITS) throw refuse(place, 'new_string', `the result is longer than ${MAX_RESULT_UNITS} characters`)
}

function unchanged(subject: string): InputError {
  const message = 'the edits do not change the file (line endings of the file are kept)'
  return new InputError('invalid_input', `Cannot edit "${visibleName(subject)}": ${message}`, { issues: [{ path: 'edits', message }] })
}
