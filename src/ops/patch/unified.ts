import { chunkedText } from '../chunked-text.js'
import type { Steps } from '../steps.js'
import { badPatch, quoted } from './errors.js'
import { hunkRange } from './hunk-range.js'
import type { FilePatch, Hunk, PatchLine } from './types.js'
import { belowFirst, fileName, gitNames, isEpoch, unquoted, withoutPrefixes } from './unified-names.js'

/** Lines of a hunk or of a new file parsed in one step. */
const LINES_A_STEP = 8192
const REGULAR_MODE = /^100[0-7]{3}$/
const BINARY = /^(?:GIT binary patch|Binary files .* differ)/s
/** Lines that begin the diff of a merge in git. */
const COMBINED = /^(?:diff --(?:cc|combined) |@@@)/
/** Lines that `diff` and `svn` write between the diffs of two files. */
const BETWEEN = /^(?:diff (?!--git )|Only in |Index: |={10,}$)/

/** The position in the patch. */
interface Cursor {
  readonly lines: readonly string[]
  at: number
  /** The last examined range of blank lines, `from` up to but not including `to`. */
  blanks?: { readonly from: number; readonly to: number }
}

/** The header of one file, before its hunks. */
interface Header {
  readonly line: number
  readonly git: boolean
  /** The `diff --git` line has the same name twice, without prefixes. */
  bare?: boolean
  /** Name of the old file. Undefined for `/dev/null`, or if the header has no such name. */
  from?: string | undefined
  to?: string | undefined
  /** The header has `---` and `+++` lines. */
  named?: boolean
  created?: boolean
  deleted?: boolean
  /** Set by `rename` and `copy` lines. These lines name both files without prefixes. */
  moved?: 'move' | 'copy'
  mode?: string
  /** Sides whose date is the epoch, which can mean that the file does not exist on that side. */
  epoch?: { readonly old: boolean; readonly fresh: boolean }
}

/**
 * Parses the lines of a unified diff. Ignores text before the first file, and text after a mail signature. If the counts in a hunk header
 * are wrong, the marks of the lines decide where the hunk ends.
 */
export function* diffSteps(lines: readonly string[]): Steps<FilePatch[]> {
  const cursor: Cursor = { lines, at: 0 }
  const sections: FilePatch[] = []
  let inPreamble = true
  let part = -1
  while (cursor.at < lines.length) {
    const line = peek(cursor)
    if (COMBINED.test(line)) throw combined(cursor.at + 1)
    if (isFileStart(cursor)) {
      if (inPreamble) part++
      const header = readHeader(cursor)
      const section = yield* toSection(header, yield* readHunks(cursor))
      sections.push(part > 0 ? { ...section, part } : section)
      inPreamble = false
      yield
    } else if (line === '-- ') {
      inPreamble = true
      cursor.at++
    } else if (BINARY.test(line)) {
      throw binary(quoted(line), cursor.at + 1)
    } else if (inPreamble || line.trim() === '' || BETWEEN.test(line)) {
      cursor.at++
    } else {
      throw strayLine(line, cursor.at + 1)
    }
  }
  return sections
}

const peek = (cursor: Cursor, at: number = cursor.at): string => cursor.lines[at] ?? ''

const strayLine = (line: string, number: number): ReturnType<typeof badPatch> =>
  badPatch(`${quoted(line)} is neither a line of a hunk (' ', '-' or '+' at its start) nor a header (---, +++, @@)`, number)

const combined = (line: number): ReturnType<typeof badPatch> =>
  badPatch('it is the diff of a merge: pass the diff against one parent', line)

const binary = (what: string, line: number): ReturnType<typeof badPatch> =>
  badPatch(`it changes ${what}, which is binary, but only text can be patched: remove that section`, line)

const isFileStart = (cursor: Cursor, at: number = cursor.at): boolean => peek(cursor, at).startsWith('diff --git ') || hasNames(cursor, at)

const hasNames = (cursor: Cursor, at: number): boolean => peek(cursor, at).startsWith('--- ') && peek(cursor, at + 1).startsWith('+++ ')

function readHeader(cursor: Cursor): Header {
  const git = peek(cursor).startsWith('diff --git ')
  const header: Header = { line: cursor.at + 1, git }
  if (git) {
    const names = gitNames(peek(cursor).slice('diff --git '.length))
    header.from = names?.from
    header.to = names?.to
    header.bare = names !== undefined && names.from === names.to
    cursor.at++
    while (cursor.at < cursor.lines.length && readExtended(header, peek(cursor), cursor.at + 1)) cursor.at++
  }
  if (hasNames(cursor, cursor.at)) {
    const [old, fresh] = [peek(cursor).slice(4), peek(cursor, cursor.at + 1).slice(4)]
    const [from, to] = [fileName(old), fileName(fresh)]
    // A section can be complete without hunks. Then these lines begin the section of another file.
    const isWhole = header.moved || header.created || header.deleted || header.mode !== undefined
    if (isWhole && !isSameFile(header, withoutPrefixes(from, to, git))) return header
    cursor.at += 2
    header.named = true
    header.epoch = { old: isEpoch(old), fresh: isEpoch(fresh) }
    // Prefer the names of `rename from` and `rename to`, because they have no prefix.
    if (!header.moved) Object.assign(header, { from, to })
  }
  return header
}

/** Whether one of these names (without prefixes) can be the file of the header. Also true if the header has no name. */
function isSameFile(header: Header, other: Pick<Header, 'from' | 'to'>): boolean {
  const own = header.moved ? header : withoutPrefixes(header.from, header.to, true)
  const sides = [[own.from, other.from] as const, [own.to, other.to] as const].filter(([a, b]) => a !== undefined && b !== undefined)
  return sides.length === 0 || sides.some(([a, b]) => `/${a}`.endsWith(`/${b}`) || `/${b}`.endsWith(`/${a}`))
}

/** Parses a line that git writes between `diff --git` and `---`. Returns false for any other line. */
function readExtended(header: Header, line: string, number: number): boolean {
  const [, kind, mode] = /^(?:(new file|deleted file|old|new) mode|index \S+) (\d+)/.exec(line) ?? []
  if (mode) {
    if (!REGULAR_MODE.test(mode)) throw badPatch(`mode ${mode} is not the mode of a regular file: links cannot be patched`, number)
    header.created ||= kind === 'new file'
    header.deleted ||= kind === 'deleted file'
    if (kind === 'new' || (kind === 'new file' && mode !== '100644')) header.mode = mode
    return true
  }
  const moved = /^(rename|copy) (from|to) (.+?)\r?$/s.exec(line)
  if (moved) {
    if (!header.moved) Object.assign(header, { from: undefined, to: undefined })
    header.moved = moved[1] === 'rename' ? 'move' : 'copy'
    const name = moved[3] ?? ''
    // No tab follows these names, so a trailing space is part of the name.
    header[moved[2] === 'from' ? 'from' : 'to'] = name.startsWith('"') ? unquoted(name) : name
    return true
  }
  if (BINARY.test(line)) throw binary(binaryName(header), number)
  return /^(?:(?:dis)?similarity )?index /.test(line)
}

function binaryName({ from, to, git }: Header): string {
  const names = withoutPrefixes(from, to, git)
  const name = names.to ?? names.from
  return name === undefined ? 'a file' : `"${name}"`
}

function* toSection(header: Header, hunks: readonly Hunk[]): Steps<FilePatch> {
  const { line, moved, mode } = header
  if (moved && (header.from === undefined || header.to === undefined)) throw badPatch('a rename or copy has to name both files', line)
  const { from, to } = moved || header.bare ? header : withoutPrefixes(header.from, header.to, header.git)
  const path = to ?? from
  if (path === undefined) throw badPatch('it does not name the file that it changes', line)
  if (path === '' || from === '') throw badPatch('the name of the file is empty', line)
  const below = from !== undefined && to !== undefined ? belowFirst(from, to) : undefined
  const names = !moved && from !== undefined && to !== undefined && from !== to && { names: { from, to, ...(below && { below }) } }
  const section = { line, path, ...(mode && { mode }), ...names }
  if (moved && from !== undefined && to !== undefined) return { ...section, kind: moved, from, hunks, overwrite: false, fromBefore: true }
  const isOnly = (mark: PatchLine['mark']): boolean =>
    hunks.length > 0 && hunks.every(({ lines }) => lines.every((each) => each.mark === mark))
  const isNew = header.created || (header.named && from === undefined) || (header.epoch?.old && hunks[0]?.start === 0 && isOnly('+'))
  if (isNew) return { ...section, kind: 'add', text: yield* newText(hunks), overwrite: false }
  const isGone = header.deleted || (header.named && to === undefined) || (header.epoch?.fresh && isOnly('-'))
  if (isGone) return { ...section, kind: 'delete', path: from ?? path, hunks }
  if (hunks.length === 0 && !header.git) throw badPatch(`there is no hunk (@@) for ${quoted(path)}`, line)
  // Different names with `a/` and `b/` mean a rename without a rename header. Without prefixes, one is usually a backup (`x.orig`).
  const renamed = from !== undefined && from !== path && from !== header.from
  if (renamed) return { ...section, kind: 'move', from, hunks, overwrite: false }
  if (hunks.length === 0 && mode !== undefined) return { line, path, kind: 'mode', mode }
  // In a diff without git headers, a single hunk that starts at line 0 and only adds lines may create the file, as with git and patch.
  const mayBeNew = !header.git && hunks.length === 1 && hunks[0]?.start === 0 && isOnly('+')
  return { ...section, kind: 'update', hunks, ...(mayBeNew && { text: yield* newText(hunks) }) }
}

function* newText(hunks: readonly Hunk[]): Steps<string> {
  const text = chunkedText()
  let count = 0
  for (const hunk of hunks) {
    for (const { mark, text: content, cr, noNewline } of hunk.lines) {
      if (mark !== '+') throw badPatch('a new file has added lines only', hunk.line)
      text.push(noNewline ? content : `${content}${cr ? '\r\n' : '\n'}`)
      if (++count % LINES_A_STEP === 0) yield
    }
  }
  return text.join()
}

function* readHunks(cursor: Cursor): Steps<Hunk[]> {
  const hunks: Hunk[] = []
  for (;;) {
    const from = cursor.at
    while (cursor.at < cursor.lines.length && peek(cursor).trim() === '') cursor.at++
    if (!peek(cursor).startsWith('@@')) {
      cursor.at = from
      return hunks
    }
    if (COMBINED.test(peek(cursor))) throw combined(cursor.at + 1)
    hunks.push(yield* readHunk(cursor))
    yield
  }
}

function* readHunk(cursor: Cursor): Steps<Hunk> {
  const line = cursor.at + 1
  const header = peek(cursor)
  const range = hunkRange(header)
  // Without line numbers, the hunk is located by its lines, and the text after `@@` is a line of the file.
  const text = header.slice(2).trim()
  const named = (text.endsWith('@@') ? text.slice(0, -2) : text).trim()
  const context = range || named === '' || (named === '...' && named !== text) ? undefined : named
  if (!range && context?.startsWith('-'))
    throw badPatch(`${quoted(header)} is not a hunk header: write '@@ -1,3 +1,4 @@', or '@@' alone`, line)
  cursor.at++
  const lines = yield* readBody(cursor, range?.oldCount, range?.newCount)
  if (lines.length === 0) throw badPatch('a hunk has no lines', line)
  const bare = lines.find(({ unmarked }) => unmarked)
  const mistake = bare && strayLine(bare.text, line + 1 + lines.indexOf(bare))
  if (mistake && lines.every(({ mark }) => mark === ' ')) throw mistake
  const contexts = context ? [context] : []
  const count = (other: PatchLine['mark']): number => lines.filter(({ mark }) => mark !== other).length
  const miscounted = range !== undefined && (range.oldCount !== count('+') || range.newCount !== count('-'))
  return {
    line,
    contexts,
    ...(range && { start: range.start(lines) }),
    lines,
    atEnd: false,
    from: 'diff',
    ...(miscounted && { miscounted }),
    ...(mistake && { mistake }),
  }
}

/** Reads as many lines as the header counts, and more while they look like lines of the hunk. */
function* readBody(cursor: Cursor, oldCount = 0, newCount = 0): Steps<PatchLine[]> {
  const lines: PatchLine[] = []
  let old = oldCount
  let fresh = newCount
  for (; cursor.at < cursor.lines.length; cursor.at++) {
    const line = peek(cursor)
    if (line.startsWith('\\')) {
      noNewlineAfter(lines, cursor.at + 1)
      continue
    }
    const counted = old > 0 || fresh > 0
    const isMarked = /^[ +-]/.test(line)
    if (line === '' ? !counted && !goesOn(cursor) : !isMarked && (!counted || isNoLine(line))) break
    // A removed line "-- a" and an added line "++ b" look like a header. The counts decide, unless they are wrong.
    if (isFileStart(cursor) && !(old === 1 && fresh === 1) && !(counted && !peek(cursor, cursor.at + 2).startsWith('@@'))) break
    if (!counted && line === '-- ') break
    const mark = (isMarked ? line[0] : ' ') as PatchLine['mark']
    if (mark !== '+') old--
    if (mark !== '-') fresh--
    const cr = line.endsWith('\r')
    const text = line.slice(isMarked ? 1 : 0, cr ? -1 : undefined)
    lines.push({ mark, text, ...(cr && { cr }), ...(!isMarked && line !== '' && { unmarked: true }) })
    if (lines.length % LINES_A_STEP === 0) yield
  }
  return lines
}

/** Whether a line without a mark cannot be part of a hunk, whatever the counts say. */
const isNoLine = (line: string): boolean =>
  line.startsWith('@@') || BETWEEN.test(line) || BINARY.test(line) || line.startsWith('diff --git ')

/** Whether a line of the hunk follows the empty lines at the cursor, so that they belong to the hunk. */
function goesOn(cursor: Cursor): boolean {
  const { lines, at } = cursor
  if (!cursor.blanks || at < cursor.blanks.from || at >= cursor.blanks.to) {
    let to = at
    while (to < lines.length && lines[to] === '') to++
    cursor.blanks = { from: at, to }
  }
  const next = cursor.blanks.to
  return /^[ +-]/.test(peek(cursor, next)) && !isFileStart(cursor, next) && lines[next] !== '-- '
}

/**
 * Marks the last line as one without a newline. A CR at its end is then part of the text, because a CR at the very end of a file is not a
 * line break.
 */
function noNewlineAfter(lines: PatchLine[], number: number): void {
  const last = lines.pop()
  if (!last) throw badPatch("'\\ No newline at end of file' has no line before it", number)
  lines.push({ mark: last.mark, text: last.cr ? `${last.text}\r` : last.text, noNewline: true })
}
