import { InputError } from '../errors/index.js'
import { findLevelSteps, type Matcher } from './edit-lookup.js'
import { lineFinder } from './lines.js'
import { clipText, describeNear } from './nearest-difference.js'
import { nearestText } from './nearest-text.js'
import type { Steps } from './steps.js'
import { searchSteps } from './text-search.js'
import { visibleName } from './visible-name.js'

const MAX_LINES_NAMED = 20
const MAX_CANDIDATES = 1000

/** Identifies the edit and the file of a message. */
export interface EditPlace {
  /** The name of the file in messages: a path. */
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
  const problem = `${oldText(place)} appears ${times} times, expected 1: ${listLines(lines)}${more ? ' and further below' : ''}`
  return editError('ambiguous_match', place, 'old_string', problem, { count, candidates: lines })
}

/** Creates the error for an old text that is not in the file, with the most similar text. Runs in steps. */
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

/**
 * Returns the line numbers of the matches: of non-overlapping matches, or of the first two if all overlap. Stops counting at
 * `MAX_CANDIDATES` + 1.
 */
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

/** Maximum length of a file for hints, because each hint takes at least one more search. */
const MAX_TEXT = 1024 * 1024
/** Minimum length of a new text for hints: a shorter text may occur in the file by chance. */
const MIN_TELLING_UNITS = 8

const WITHOUT_MARK = 'Remove the byte order mark (U+FEFF): the file has the text without it'

/** Hints for common mistakes in copied text, each verified in the file. Runs in steps. */
function* editHints(text: string, old: string, fresh: string): Steps<string[]> {
  if (text.length > MAX_TEXT) return []
  const found: string[] = []
  function* isIn(variant: string): Steps<boolean> {
    return variant !== old && variant.trim() !== '' && (yield* findLevelSteps([{ text }], variant)).length > 0
  }
  if (yield* isIn(withoutLineNumbers(old))) found.push('Remove the line numbers that a numbered read puts before each line')
  else if (yield* isIn(unescaped(old))) found.push('Remove the extra escapes: the file has real line breaks, tabs and quotes')
  else if (yield* isIn(withoutEntities(old))) found.push('Remove the HTML entities: the file has plain characters')
  else if (yield* isIn(old.replaceAll('\ufeff', ''))) found.push(WITHOUT_MARK)
  else if (yield* isIn(old.replace(/\r?\n/g, '\r'))) found.push('The lines of the file end with CR only: write "\\r" for each line break')
  else if (yield* isIn(old.trim())) found.push('Remove the surrounding white space: the file has the text without it')
  if (fresh.trim().length >= MIN_TELLING_UNITS && (yield* searchSteps(text, fresh))(0) >= 0) {
    found.push('The new text is already in the file: this edit may have been applied before')
  }
  return found
}

const withoutLineNumbers = (text: string): string => {
  const lines = text.split('\n')
  const numbered = /^ *L?\d+(?:\t|: ?|\| ?|→)/
  const isNumbered = lines.every((line, i) => numbered.test(line) || (line.trim() === '' && i > 0))
  return isNumbered ? lines.map((line) => line.replace(numbered, '')).join('\n') : text
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' }
const unescaped = (text: string): string => text.replace(/\\([ntr"'\\])/g, (_, letter: string) => ESCAPES[letter] ?? letter)

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", amp: '&' }
const withoutEntities = (text: string): string => text.replace(/&(lt|gt|quot|apos|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? name)
