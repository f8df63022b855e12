import { chunkedText } from '../chunked-text.js'
import type { Steps } from '../steps.js'
import { badPatch, quoted } from './errors.js'
import { hunkRange } from './hunk-range.js'
import type { FilePatch, Hunk, PatchLine } from './types.js'

const ADD = '*** Add File: '
const DELETE = '*** Delete File: '
const UPDATE = '*** Update File: '
const MOVE = '*** Move to: '
const END_OF_FILE = '*** End of File'
/** Lines of a hunk or of a new file parsed in one step. */
const LINES_A_STEP = 8192

/** The position in the patch. */
interface Cursor {
  readonly lines: readonly string[]
  at: number
  /** The first line after the patch. */
  readonly end: number
}

/** Parses the lines of a `*** Begin Patch` envelope. Ignores white space around its first and last line and around file headers. */
export function* envelopeSteps(lines: readonly string[]): Steps<FilePatch[]> {
  const first = lines[0]?.trim() ?? ''
  if (first !== '*** Begin Patch') {
    const other = first.startsWith('***') ? '' : `, but is ${quoted(first)}: pass only the patch, without a command around it`
    throw badPatch(`The first line of the patch must be '*** Begin Patch'${other}`)
  }
  if (lines.at(-1)?.trim() !== '*** End Patch') throw badPatch("The last line of the patch must be '*** End Patch'")
  const cursor: Cursor = { lines, at: 1, end: lines.length - 1 }
  const sections: FilePatch[] = []
  for (;;) {
    skipBlanks(cursor)
    if (cursor.at >= cursor.end) break
    sections.push(yield* section(cursor))
    yield
  }
  if (sections.length === 0) throw badPatch('No files were modified: the patch has no sections')
  return sections
}

function* section(cursor: Cursor): Steps<FilePatch> {
  const line = cursor.at + 1
  const header = peek(cursor).trim()
  cursor.at++
  if (header.startsWith(ADD)) return { kind: 'add', line, path: header.slice(ADD.length), text: yield* newText(cursor), overwrite: true }
  if (header.startsWith(DELETE)) return { kind: 'delete', line, path: header.slice(DELETE.length) }
  if (!header.startsWith(UPDATE)) {
    throw invalidHunk(line, invalidHeader(header))
  }
  const path = header.slice(UPDATE.length)
  const moveTo = cursor.at < cursor.end && peek(cursor).startsWith(MOVE) ? peek(cursor).slice(MOVE.length).trim() : undefined
  if (moveTo !== undefined) cursor.at++
  const hunks = yield* chunks(cursor)
  if (hunks.length === 0 && moveTo === undefined) throw invalidHunk(line, `Update file hunk for path ${quoted(path)} is empty`)
  return moveTo === undefined
    ? { kind: 'update', line, path, hunks }
    : { kind: 'move', line, path: moveTo, from: path, hunks, overwrite: true }
}

const invalidHeader = (header: string): string =>
  `${quoted(header)} is not a valid hunk header. Valid hunk headers: '${ADD}{path}', '${DELETE}{path}', '${UPDATE}{path}'`

function* newText(cursor: Cursor): Steps<string> {
  const text = chunkedText()
  for (; cursor.at < cursor.end && peek(cursor).startsWith('+'); cursor.at++) {
    text.push(`${peek(cursor).slice(1)}\n`)
    if (cursor.at % LINES_A_STEP === 0) yield
  }
  return text.join()
}

/** Whether the line is a header of the format. A line of file content has a mark before it, so it never looks like a header. */
const isHeader = (line: string): boolean =>
  /^\s*\*\*\* (?:(?:Add|Delete|Update) File: |Move to: |End of File$|(?:Begin|End) Patch$)/.test(line)

function* chunks(cursor: Cursor): Steps<Hunk[]> {
  const found: Hunk[] = []
  for (;;) {
    const from = cursor.at
    skipBlanks(cursor)
    if (cursor.at >= cursor.end || isHeader(peek(cursor)) || (found.length > 0 && peek(cursor).startsWith('***'))) return found
    // Blank lines before a first hunk without `@@` belong to the hunk.
    if (found.length === 0 && !peek(cursor).startsWith('@@')) cursor.at = from
    found.push(yield* chunk(cursor, found.length === 0))
    yield
  }
}

function* chunk(cursor: Cursor, isFirst: boolean): Steps<Hunk> {
  const line = cursor.at + 1
  const { contexts, start } = anchors(cursor)
  const hasAnchor = cursor.at + 1 > line
  if (!hasAnchor && !isFirst) {
    throw invalidHunk(line, expectedMarker(peek(cursor)))
  }
  const begin = cursor.at
  const all = yield* body(cursor)
  const bare = all.findIndex(({ unmarked }) => unmarked)
  const mistake = bare < 0 ? undefined : unmarkedLine(cursor.lines[begin + bare] ?? '', begin + bare + 1, bare === 0)
  // These lines are not a hunk, because they neither remove nor add lines.
  if (mistake && all.every(({ mark }) => mark === ' ')) throw mistake
  const atEnd = cursor.at < cursor.end && peek(cursor) === END_OF_FILE
  const lines = atEnd ? all : withoutBlankEnd(all)
  if (lines.length === 0) throw invalidHunk(line, 'Update hunk does not contain any lines')
  if (atEnd) cursor.at++
  return { line, contexts, ...(start && { start: start(lines) }), lines, atEnd, from: 'envelope', ...(mistake && { mistake }) }
}

function unmarkedLine(text: string, line: number, isFirst: boolean): ReturnType<typeof badPatch> {
  const hint = `${MARKS}, and the file has no such line there.`
  if (text.startsWith('***')) return invalidHunk(line, invalidHeader(text), hint)
  if (isFirst) return invalidHunk(line, `Unexpected line found in update hunk: ${quoted(text)}. ${MARKS}`)
  return invalidHunk(line, expectedMarker(text), hint)
}

const expectedMarker = (text: string): string => `Expected update hunk to start with a @@ context marker, got: ${quoted(text)}`

const MARKS = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)"

/** Parses `@@`, `@@ line of the file`, several of these for nested blocks, or the line numbers of a diff. */
function anchors(cursor: Cursor): { contexts: string[]; start?: (lines: readonly PatchLine[]) => number } {
  const contexts: string[] = []
  for (; cursor.at < cursor.end; cursor.at++) {
    const line = peek(cursor)
    const range = hunkRange(line)
    if (range) {
      cursor.at++
      return { contexts, start: range.start }
    }
    if (line !== '@@' && !line.startsWith('@@ ')) break
    if (line.trim() !== '@@') contexts.push(line.slice(3))
  }
  return { contexts }
}

/**
 * Reads all lines up to the next header. A line without a mark may be a line of the file whose mark is missing. An empty line means an
 * empty line of the file.
 */
function* body(cursor: Cursor): Steps<(PatchLine & { readonly bare?: boolean })[]> {
  const lines: (PatchLine & { readonly bare?: boolean })[] = []
  for (; cursor.at < cursor.end; cursor.at++) {
    const line = peek(cursor)
    if (line.startsWith('@@') || (line.startsWith('***') && isHeader(line))) break
    const first = line[0] ?? ' '
    const isMark = first === ' ' || first === '-' || first === '+'
    const cr = line.endsWith('\r')
    const text = line.slice(isMark ? 1 : 0, cr ? -1 : undefined)
    lines.push({
      mark: isMark ? first : ' ',
      text,
      ...(!isMark && { unmarked: true }),
      ...(cr && { cr }),
      ...(line === '' && { bare: true }),
    })
    if (lines.length % LINES_A_STEP === 0) yield
  }
  return lines
}

/** Drops empty lines before the next header, which are only formatting. */
function withoutBlankEnd(lines: readonly (PatchLine & { readonly bare?: boolean })[]): PatchLine[] {
  return lines.slice(0, lines.findLastIndex((line) => !line.bare) + 1)
}

const peek = ({ lines, at }: Cursor): string => lines[at] ?? ''

function skipBlanks(cursor: Cursor): void {
  while (cursor.at < cursor.end && peek(cursor).trim() === '') cursor.at++
}

const invalidHunk = (line: number, problem: string, hint?: string): ReturnType<typeof badPatch> =>
  badPatch(`invalid hunk at line ${line}, ${problem}`, line, hint)
