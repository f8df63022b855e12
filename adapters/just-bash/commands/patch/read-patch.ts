import { fileName } from '../../../../src/ops/patch/unified-names.js'
import { textOf } from '../shared/bytes.js'
import { Failure } from '../shared/failure.js'

/** A line with its line break, bytes one character each. */
export interface HunkLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

export interface Hunk {
  /** 1-based; of an empty side the line that it comes after. */
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly HunkLine[]
  /** What stands behind the numbers. */
  readonly section: string
}

/** What a patch does to one file. Undefined names are `/dev/null`, or not said. */
export interface FilePatch {
  readonly from: string | undefined
  readonly to: string | undefined
  /** What stands behind the names. */
  readonly stamps: readonly [string, string]
  /** `---` and `+++` say which side is not there. */
  readonly creates: boolean
  readonly deletes: boolean
  readonly renamed: boolean
  readonly hunks: readonly Hunk[]
  /** It is malformed behind the hunks that are here. */
  readonly fault?: Failure
  /** The lines before the hunks, and the number of the last of them in the patch. */
  readonly lead: readonly string[]
  readonly leadEnd: number
}

interface Cursor {
  readonly lines: readonly string[]
  at: number
}

/** The sections of a unified diff; what stands between them is passed over. @throws {Failure} where there is none */
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

/** Of a patch that was sent as text with CRLF. */
function withoutCrs(lines: readonly string[]): readonly string[] {
  const header = lines.find((line) => line.startsWith('--- '))
  return header?.endsWith('\r') ? lines.map((line) => line.replace(/\r$/, '')) : lines
}

const peek = ({ lines, at }: Cursor, ahead = 0): string => lines[at + ahead] ?? ''
const isNames = (cursor: Cursor): boolean =>
  peek(cursor).startsWith('--- ') && peek(cursor, 1).startsWith('+++ ') && peek(cursor, 2).startsWith('@@ -')

/** Undefined: none begins here. */
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

/** git's lines before the names. Undefined: they rename nothing. */
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

/** Undefined for `/dev/null`. */
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
      // Mail programs take the space of an empty line away.
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

/** `\ No newline at end of file`. */
function dropBreak(lines: { mark: HunkLine['mark']; text: string }[]): void {
  const last = lines.at(-1)
  if (last) last.text = last.text.slice(0, -1)
}

function malformed({ lines, at }: Cursor): Failure {
  return new Failure(`**** malformed patch at line ${Math.min(at + 1, lines.length)}: ${lines[at] ?? ' '}\n`, 2)
}

/** As a `.rej` file has the hunk. */
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
