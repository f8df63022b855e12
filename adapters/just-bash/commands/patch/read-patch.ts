import { fileName } from '../../../../src/ops/patch/unified-names.js'
import { textOf } from '../shared/bytes.js'
import { Failure } from '../shared/failure.js'

/** A line of a hunk with its line break, one character per byte. */
export interface HunkLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

export interface Hunk {
  /** Line of the old file at which the hunk begins, counted from 1. For a hunk without old lines, the line before the hunk. */
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly HunkLine[]
  /** Text after the line numbers of the `@@` line. */
  readonly section: string
}

/** The changes to one file. A name is undefined if it is `/dev/null` or missing. */
export interface FilePatch {
  readonly from: string | undefined
  readonly to: string | undefined
  /** The texts after the old name and the new name, usually times. */
  readonly stamps: readonly [string, string]
  /** Whether `---` or `+++` names `/dev/null`. */
  readonly creates: boolean
  readonly deletes: boolean
  readonly renamed: boolean
  readonly hunks: readonly Hunk[]
  /** Set if the patch is malformed after the hunks. */
  readonly fault?: Failure
  /** The lines before the hunks, and the number of their last line in the patch. */
  readonly lead: readonly string[]
  readonly leadEnd: number
}

interface Cursor {
  readonly lines: readonly string[]
  at: number
}

/** Parses the sections of a unified diff and skips text between them. @throws {Failure} if there is no section */
export function readPatch(binary: string): FilePatch[] {
  const lines = binary.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const cursor: Cursor = { lines: withoutCrs(lines), at: 0 }
  const files: FilePatch[] = []
  for (let lead = 0; cursor.at < cursor.lines.length; ) {
    const file = readFile(cursor, lead)
    if (file) {
      files.push(file)
      lead = cursor.at
    } else cursor.at++
  }
  if (files.length === 0 && binary !== '') throw new Failure('**** Only garbage was found in the patch input.', 2)
  return files
}

/** Removes the CRs of a patch that was sent as text with CRLF line breaks. */
function withoutCrs(lines: readonly string[]): readonly string[] {
  const header = lines.find((line) => line.startsWith('--- '))
  return header?.endsWith('\r') ? lines.map((line) => line.replace(/\r$/, '')) : lines
}

const peek = ({ lines, at }: Cursor, ahead = 0): string => lines[at + ahead] ?? ''
const isNames = (cursor: Cursor): boolean =>
  peek(cursor).startsWith('--- ') && peek(cursor, 1).startsWith('+++ ') && peek(cursor, 2).startsWith('@@ -')

/** Returns undefined if no section starts here. */
function readFile(cursor: Cursor, lead: number): FilePatch | undefined {
  const renames = peek(cursor).startsWith('diff --git ') ? readGitLines(cursor) : undefined
  const named = isNames(cursor)
  if (!named && !renames) return undefined
  const names = named ? { from: nameIn(peek(cursor)), to: nameIn(peek(cursor, 1)) } : { from: renames?.from, to: renames?.to }
  const stamps = [stampIn(named, peek(cursor)), stampIn(named, peek(cursor, 1))] as const
  if (named) cursor.at += 2
  const [leadEnd, leadLines] = [cursor.at, cursor.lines.slice(lead, cursor.at)]
  const hunks: Hunk[] = []
  let fault: Failure | undefined
  try {
    while (peek(cursor).startsWith('@@ -')) hunks.push(readHunk(cursor))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    fault = error
    cursor.at = cursor.lines.length
  }
  return {
    ...(fault && { fault }),
    ...names,
    stamps,
    creates: named ? names.from === undefined : false,
    deletes: named ? names.to === undefined : false,
    renamed: renames !== undefined,
    hunks,
    lead: leadLines,
    leadEnd,
  }
}

/** Parses git's header lines. Returns undefined if they do not rename the file. */
function readGitLines(cursor: Cursor): { readonly from: string; readonly to: string } | undefined {
  let from: string | undefined
  let to: string | undefined
  const begin = cursor.at
  cursor.at++
  for (
    ;
    /^(?:index|old mode|new mode|new file|deleted file|similarity|dissimilarity|rename|copy|Binary|GIT binary) ?/.test(peek(cursor));
    cursor.at++
  ) {
    if (/^(?:Binary files|GIT binary)/.test(peek(cursor))) throw new Failure('git binary diffs are not supported.', 2)
    from = /^rename from (.+)/.exec(peek(cursor))?.[1] ?? from
    to = /^rename to (.+)/.exec(peek(cursor))?.[1] ?? to
  }
  if (from === undefined || to === undefined) {
    if (!isNames(cursor)) cursor.at = begin
    return undefined
  }
  return { from: `a/${textOf(from)}`, to: `b/${textOf(to)}` }
}

/** Returns the file name in a header line, or undefined for `/dev/null`. */
function nameIn(line: string): string | undefined {
  return fileName(textOf(line.slice(4)))
}

const stampIn = (named: boolean, line: string): string => (named ? textOf(/\t.*/.exec(line)?.[0] ?? '') : '')

function readHunk(cursor: Cursor): Hunk {
  const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)/.exec(peek(cursor))
  if (!range) throw malformed(cursor)
  let old = Number(range[2] ?? 1)
  let fresh = Number(range[4] ?? 1)
  const lines: { mark: HunkLine['mark']; text: string }[] = []
  cursor.at++
  while (old > 0 || fresh > 0 || peek(cursor).startsWith('\\')) {
    const line = peek(cursor)
    if (cursor.at >= cursor.lines.length) throw malformed(cursor)
    if (line.startsWith('\\')) dropBreak(lines)
    else {
      // Mail programs may remove the space of an empty context line.
      const mark = (line[0] ?? ' ') as HunkLine['mark']
      if (mark !== ' ' && mark !== '-' && mark !== '+') throw malformed(cursor)
      if (mark !== '+') old--
      if (mark !== '-') fresh--
      if (old < 0 || fresh < 0) throw malformed(cursor)
      lines.push({ mark, text: `${line.slice(1)}\n` })
    }
    cursor.at++
  }
  return { oldStart: Number(range[1]), newStart: Number(range[3]), lines, section: range[5] as string }
}

/** Applies `\ No newline at end of file` to the last line. */
function dropBreak(lines: { mark: HunkLine['mark']; text: string }[]): void {
  const last = lines.at(-1)
  if (last) last.text = last.text.slice(0, -1)
}

function malformed({ lines, at }: Cursor): Failure {
  return new Failure(`**** malformed patch at line ${Math.min(at + 1, lines.length)}: ${lines[at] ?? ' '}\n`, 2)
}

/** Formats a hunk for a `.rej` file. */
export function hunkText({ oldStart, newStart, lines, section }: Hunk): string {
  const old = lines.filter(({ mark }) => mark !== '+').length
  const fresh = lines.filter(({ mark }) => mark !== '-').length
  const range = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`)
  const body = lines.map(({ mark, text }) => `${mark}${text}`)
  return `@@ -${range(oldStart, old)} +${range(newStart, fresh)} @@${section}\n${body.join('')}`
}

export function reversed(file: FilePatch): FilePatch {
  return {
    ...file,
    from: file.to,
    to: file.from,
    stamps: [file.stamps[1], file.stamps[0]],
    creates: file.deletes,
    deletes: file.creates,
    hunks: file.hunks.map(reversedHunk),
  }
}

const OPPOSITE = { ' ': ' ', '-': '+', '+': '-' } as const

export function reversedHunk({ oldStart, newStart, lines, section }: Hunk): Hunk {
  const all: HunkLine[] = []
  let added: HunkLine[] = []
  for (const { mark, text } of lines) {
    const line = { mark: OPPOSITE[mark], text }
    if (line.mark === '+') added.push(line)
    if (line.mark === ' ') {
      all.push(...added)
      added = []
    }
    if (line.mark !== '+') all.push(line)
  }
  return { oldStart: newStart, newStart: oldStart, lines: [...all, ...added], section }
}
