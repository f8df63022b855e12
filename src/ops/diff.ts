import { commonPrefix, commonSuffix } from './common-prefix.js'
import { type Change, lineChanges } from './line-changes.js'
import { countBreaks } from './lines.js'
import { utf8Length } from './utf8.js'

/** Maximum number of changed lines in a block for computing the shortest diff. A block with more changes appears as replaced. */
const MAX_EDITS = 300
/** Maximum line comparisons. Each changed line may require comparing all lines again, so long files allow fewer changes. */
const MAX_COMPARISONS = 2_000_000
/** Maximum lines of a block if the diff may be truncated. */
const MAX_BLOCK_LINES = 150_000

export interface UnifiedDiffOptions {
  /** The path; a leading `/` is dropped, as in git. */
  readonly path: string
  /** Undefined if the file did not exist. */
  readonly before: string | undefined
  /** Undefined if the file was removed. */
  readonly after: string | undefined
  /** Number of unchanged lines around a change; default 3. */
  readonly context?: number
  /** Maximum UTF-8 bytes. A longer diff omits whole lines at the end, or a very large change, and says so. Default: unlimited. */
  readonly maxBytes?: number
}

/** The changed lines with their context and position. Lines include their line breaks. */
interface Block {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly lead: readonly string[]
  readonly trail: readonly string[]
  /** Number of lines before the block. */
  readonly linesBefore: number
}

/** Creates a patch in git's format; an empty text if nothing changed. A CR is part of its line. */
export function unifiedDiff({ path, before, after, context = 3, maxBytes }: UnifiedDiffOptions): string {
  if (before === after) return ''
  const head = header(path, before, after)
  const block = changedBlock(before ?? '', after ?? '', {
    context,
    maxLines: maxBytes === undefined ? Number.POSITIVE_INFINITY : MAX_BLOCK_LINES,
  })
  if (!block) return `${head}[diff left out: the changes span more than ${MAX_BLOCK_LINES} lines]\n`
  return maxBytes === undefined ? head + hunks(block, context) : cutLines(head + hunks(block, context, maxBytes), maxBytes)
}

function header(path: string, before: string | undefined, after: string | undefined): string {
  const name = path.replace(/^\/+/, '')
  const from = before === undefined ? '/dev/null' : fileName(`a/${name}`)
  const to = after === undefined ? '/dev/null' : fileName(`b/${name}`)
  return `--- ${from}\n+++ ${to}\n`
}

/** Returns a name as git writes it: quoted if a character would break the line, and with a tab after a name with spaces. */
function fileName(name: string): string {
  const quoted = quotedName(name)
  return quoted === name && name.includes(' ') ? `${name}\t` : quoted
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': 't', '\n': 'n', '\r': 'r', '"': '"', '\\': '\\' }

/** Quotes a name as git does: only if a character would break the line, with C escapes. */
export function quotedName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to quote
  const escaped = name.replace(/[\x00-\x1f\x7f"\\]/g, (char) => {
    return `\\${ESCAPES[char] ?? char.charCodeAt(0).toString(8).padStart(3, '0')}`
  })
  return escaped === name ? name : `"${escaped}"`
}

interface BlockOptions {
  readonly context: number
  readonly maxLines: number
}

/** @returns undefined if the block has too many lines */
function changedBlock(before: string, after: string, { context, maxLines }: BlockOptions): Block | undefined {
  const shorter = Math.min(before.length, after.length)
  const prefix = commonPrefix(before, after, shorter)
  // `lastIndexOf` treats -1 as 0.
  const start = prefix === 0 ? 0 : before.lastIndexOf('\n', prefix - 1) + 1
  const common = commonSuffix(before, after, shorter - start)
  let oldEnd = before.length - common
  let newEnd = after.length - common
  if (!isLineStart(before, oldEnd) || !isLineStart(after, newEnd)) {
    const rest = before.indexOf('\n', oldEnd)
    const more = rest < 0 ? common : rest + 1 - oldEnd
    oldEnd += more
    newEnd += more
  }
  const removed = keepBreaks(before.slice(start, oldEnd), maxLines)
  const added = keepBreaks(after.slice(start, newEnd), maxLines - removed.length)
  if (removed.length + added.length > maxLines) return undefined
  return {
    before: removed,
    after: added,
    lead: linesBefore(before, start, context),
    trail: linesAfter(before, oldEnd, context),
    linesBefore: countBreaks(before, 0, start),
  }
}

const isLineStart = (text: string, at: number): boolean => at === 0 || text.charCodeAt(at - 1) === 10

/** Splits into lines, at most `max` plus one. */
function keepBreaks(text: string, max: number = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = []
  for (let from = 0; from < text.length && lines.length <= max; ) {
    const at = text.indexOf('\n', from)
    const to = at < 0 ? text.length : at + 1
    lines.push(text.slice(from, to))
    from = to
  }
  return lines
}

function linesBefore(text: string, end: number, count: number): string[] {
  let from = end
  for (let i = 0; i < count && from > 0; i++) from = from < 2 ? 0 : text.lastIndexOf('\n', from - 2) + 1
  return keepBreaks(text.slice(from, end))
}

function linesAfter(text: string, start: number, count: number): string[] {
  let to = start
  for (let i = 0; i < count && to < text.length; i++) {
    const at = text.indexOf('\n', to)
    to = at < 0 ? text.length : at + 1
  }
  return keepBreaks(text.slice(start, to))
}

/** Stops if the text is longer than `room`. */
function hunks(block: Block, context: number, room: number = Number.POSITIVE_INFINITY): string {
  const changes = blockChanges(block.before, block.after)
  let out = ''
  for (let first = 0; first < changes.length && out.length <= room; ) {
    let last = first
    while (last + 1 < changes.length && (changes[last + 1]?.oldFrom ?? 0) - (changes[last]?.oldTo ?? 0) <= 2 * context) last++
    out += hunk(block, changes.slice(first, last + 1), context, room)
    first = last + 1
  }
  return out
}

function blockChanges(before: readonly string[], after: readonly string[]): readonly Change[] {
  if (before.length === 0 && after.length === 0) return []
  // The first and the last lines of the block differ. So if either side is empty, or both have one line, the whole block changed.
  const isWhole = before.length === 0 || after.length === 0 || (before.length === 1 && after.length === 1)
  const maxEdits = Math.min(MAX_EDITS, Math.ceil(MAX_COMPARISONS / (before.length + after.length)))
  const changes = isWhole ? undefined : lineChanges(before, after, maxEdits)
  return changes ?? [{ oldFrom: 0, oldTo: before.length, newFrom: 0, newTo: after.length }]
}

function hunk(block: Block, changes: readonly Change[], context: number, room: number): string {
  const first = changes[0]
  const last = changes.at(-1)
  if (!first || !last) return ''
  // Context lines outside the block come from `lead` and `trail`.
  const lead = tailOf(block.lead, context - first.oldFrom)
  const trail = block.trail.slice(0, Math.max(0, context - (block.before.length - last.oldTo)))
  const from = Math.max(0, first.oldFrom - context)
  const to = Math.min(block.before.length, last.oldTo + context)
  const skipped = first.oldFrom - from
  const oldCount = lead.length + (to - from) + trail.length
  const newCount = oldCount + changes.reduce((sum, change) => sum + (change.newTo - change.newFrom) - (change.oldTo - change.oldFrom), 0)
  const oldStart = block.linesBefore - lead.length + from
  const newStart = block.linesBefore - lead.length + first.newFrom - skipped

  let body = marked(' ', lead)
  let at = from
  for (const { oldFrom, oldTo, newFrom, newTo } of changes) {
    body += marked(' ', block.before.slice(at, oldFrom))
    body += marked('-', block.before.slice(oldFrom, oldTo), room) + marked('+', block.after.slice(newFrom, newTo), room)
    at = oldTo
  }
  body += marked(' ', block.before.slice(at, to)) + marked(' ', trail)
  return `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@\n${body}`
}

const tailOf = (lines: readonly string[], count: number): readonly string[] =>
  lines.slice(lines.length - Math.min(lines.length, Math.max(0, count)))

/** A line range for `@@`. `before` is the number of lines before the range; an empty range names the preceding line. */
function range(before: number, count: number): string {
  if (count === 0) return `${before},0`
  return count === 1 ? `${before + 1}` : `${before + 1},${count}`
}

/** Stops if the text is longer than `room`. */
function marked(mark: ' ' | '-' | '+', lines: readonly string[], room: number = Number.POSITIVE_INFINITY): string {
  let out = ''
  for (const line of lines) {
    if (out.length > room) return out
    out += mark + line
    if (line.charCodeAt(line.length - 1) !== 10) out += '\n\\ No newline at end of file\n'
  }
  return out
}

function cutLines(diff: string, maxBytes: number): string {
  if (diff.length <= maxBytes && utf8Length(diff) <= maxBytes) return diff
  const note = `[diff cut at ${maxBytes} bytes]\n`
  let room = maxBytes - note.length
  let end = 0
  for (let at = diff.indexOf('\n'); at >= 0; at = diff.indexOf('\n', end)) {
    if (at >= end + room) break
    room -= utf8Length(diff.slice(end, at + 1))
    if (room < 0) break
    end = at + 1
  }
  return diff.slice(0, end) + note
}
