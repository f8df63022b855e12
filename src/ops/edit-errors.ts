import { InputError } from '../errors/index.js'
import { editHints, WITHOUT_MARK } from './edit-hints.js'
import type { Matcher } from './edit-lookup.js'
import { lineFinder } from './lines.js'
import { clipText, describeNear } from './nearest-difference.js'
import { nearestText } from './nearest-text.js'
import type { Steps } from './steps.js'
import { visibleName } from './visible-name.js'

const MAX_LINES_NAMED = 20
const MAX_CANDIDATES = 1000

/** Which edit of which file a message is about. */
export interface EditPlace {
  /** As the caller names it in messages: a path. */
  readonly subject: string
  readonly index: number
  readonly total: number
}

export function refuse(place: EditPlace, field: 'old_string' | 'new_string', problem: string): InputError {
  return editError('invalid_input', place, field, problem, {})
}

export function ambiguous(place: EditPlace, text: string, matcher: Matcher): InputError {
  const { count, lines } = candidates(text, matcher)
  const more = count > MAX_CANDIDATES
  const times = more ? `more than ${MAX_CANDIDATES}` : `${count}`
  const problem = `${oldText(place)} appears ${times} times, expected 1: ${listLines(lines)}${more ? ' and further on' : ''}`
  return editError('ambiguous_match', place, 'old_string', problem, { count, candidates: lines })
}

/** In steps: looks for what comes nearest. */
export function* notFound(place: EditPlace, text: string, old: string, fresh: string): Steps<InputError> {
  yield
  const hints = yield* editHints(text, old, fresh)
  const near = text === '' || hints.includes(WITHOUT_MARK) ? undefined : nearestText(text, old)
  const parts = [text === '' ? 'the file is empty' : `${oldText(place)} is not in the file`, ...hints]
  if (near) parts.push(describeNear(near))
  const nearest = near && { line: near.line, text: clipText(near.text), similarity: near.similarity }
  return editError('no_match', place, 'old_string', parts.join('. '), nearest ? { nearest } : {})
}

function editError(
  code: InputError['code'],
  { subject, index }: EditPlace,
  field: string,
  problem: string,
  details: Record<string, unknown>,
): InputError {
  const issues = [{ path: `edits[${index}].${field}`, message: problem }]
  return new InputError(code, `Cannot edit "${visibleName(subject)}": ${problem}`, { issues, details: { edit: index, ...details } })
}

const oldText = ({ index, total }: EditPlace): string => (total === 1 ? 'old text' : `old text of edit ${index + 1} of ${total}`)

/** Lines of the matches that do not overlap; of the first two where all of them do. Counts to one over `MAX_CANDIDATES`. */
function candidates(text: string, matcher: Matcher): { readonly count: number; readonly lines: readonly number[] } {
  const lineOf = lineFinder(text)
  const lines: number[] = []
  let count = 0
  let last = 0
  for (let match = matcher.next(0); match && count <= MAX_CANDIDATES; match = matcher.next(match.after)) {
    count++
    last = match.at
    if (lines.length < MAX_CANDIDATES) lines.push(lineOf(match.start))
  }
  const overlapping = count === 1 ? matcher.next(last + 1) : undefined
  if (!overlapping) return { count, lines }
  return { count: 2, lines: [...lines, lineOf(overlapping.start)] }
}

function listLines(lines: readonly number[]): string {
  const distinct = [...new Set(lines)]
  const named = distinct.slice(0, MAX_LINES_NAMED).join(', ')
  const more = distinct.length - MAX_LINES_NAMED
  if (distinct.length === 1) return `all on line ${named}`
  return more > 0 ? `on lines ${named} and ${more} more` : `on lines ${named}`
}
