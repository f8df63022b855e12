import { ALL, type CharSet, has } from './char-set.js'
import { countBreaks } from './lines.js'
import type { LineMatcher } from './regex/line-matcher.js'
import { codePointBoundary, utf8Length } from './utf8.js'

export interface GrepOptions {
  /** What to return. `content` (default) collects matches, `files` stops at the first match, `count` only counts. */
  readonly mode?: 'content' | 'files' | 'count'
  /** Number of lines before each match; default 0. */
  readonly before?: number
  /** Number of lines after each match; default 0. */
  readonly after?: number
  /** Maximum number of collected matches; default all. */
  readonly limit?: number
  /**
   * Maximum number of collected characters; each line also counts `LINE_OVERHEAD` characters. The match that reaches the limit is still
   * complete. Default all.
   */
  readonly room?: number
  /** Number of matches to skip because an earlier page returned them. Default 0. */
  readonly skip?: number
  /** Start and end of the range in which matches may begin, at line starts; the text around it is context. Default: the whole text. */
  readonly from?: number
  readonly to?: number
  /** The line number at `from`. Default 1. */
  readonly line?: number
  /** Whether the file continues after the text. Default false. */
  readonly partial?: boolean
  /** Whether `\r\n` has already been converted to `\n`. Default false. */
  readonly unified?: boolean
}

export interface GrepMatch {
  /** Line number, one-based. */
  readonly line: number
  /** Column in the line, one-based, in UTF-8 bytes, as in ripgrep. */
  readonly column: number
  /** The line, or with `multiline` all lines that the match touches, without the last line break. Long lines are truncated. */
  readonly text: string
  /** Lines before the match, in file order; present if requested. */
  readonly before?: readonly string[]
  /** Lines after the match; present if requested. */
  readonly after?: readonly string[]
}

/** Searches one text in steps of a few milliseconds. */
export interface Grep {
  /** Continues the search. Returns true at the end of the text, or when no more matches are needed. */
  step(): boolean
  /** The matches so far (only with `content`). */
  readonly matches: readonly GrepMatch[]
  /**
   * Number of matches so far, including skipped matches. Counts matching lines; with `multiline` counts matches, and for `content` groups
   * of lines with matches.
   */
  readonly count: number
  /** Characters collected so far, counted as for `room`. */
  readonly size: number
  /** Whether there are more matches than `limit` or `room` allows. */
  readonly more: boolean
  /**
   * Offset of the end of the searched range. If a match starts inside the range and ends outside, this is the end of the match's last line.
   */
  readonly to: number
  /** Number of lines that were skipped because they are too long for the pattern's engine. A search for plain text skips no lines. */
  readonly longLines: number
  /** Whether the search may have missed or truncated a match that covers more lines than can be searched at once. */
  readonly longMatches: boolean
}

/** Searches a text. `\r\n` counts as a line break like `\n`, unless the pattern contains carriage returns. */
export function createGrep(text: string, matcher: LineMatcher, options: GrepOptions = {}): Grep {
  return new Search(text, matcher, options)
}

/** Maximum number of slices searched at once, including read-ahead. */
const WINDOW = 4
// Matches per step. A match takes some microseconds, and as much again for every eight lines of context.
const MAX_TAKEN = 1000

/** Cost of a collected line besides its characters, for its object in memory, its line number and quotes. */
const LINE_OVERHEAD = 64

/** The text that is searched at once. It starts at offset `begin`; only matches that start before `last` count. */
interface Part {
  readonly text: string
  readonly begin: number
  readonly last: number
}

class Search implements Grep {
  readonly matches: GrepMatch[] = []
  count = 0
  size = 0
  more = false
  longLines = 0
  longMatches = false
  readonly #text: string
  readonly #matcher: LineMatcher
  readonly #mode: NonNullable<GrepOptions['mode']>
  readonly #context: { readonly before: number; readonly after: number }
  readonly #partial: boolean
  readonly #skip: number
  readonly #limit: number
  readonly #room: number
  readonly #maxTaken: number
  /** Size of all matches except the last, counted as for `room`. */
  #sized = 0
  /** Everything before this offset has been searched. In line mode it is always the start of a line. */
  #at: number
  to: number
  #part: Part | undefined
  /** The last match of a content search, and the end of its last line. */
  #run = { start: 0, end: 0 }
  /** An offset with a known line number. */
  #counted: { readonly at: number; readonly line: number }

  constructor(text: string, matcher: LineMatcher, options: GrepOptions) {
    const { mode = 'content', before = 0, after = 0, limit = Number.POSITIVE_INFINITY, room = Number.POSITIVE_INFINITY } = options
    const { skip = 0, from = 0, to, line = 1, partial = false, unified = matcher.seesReturns } = options
    this.#text = !unified && text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
    this.#matcher = matcher
    this.#mode = mode
    this.#context = { before, after }
    this.#partial = partial
    this.#maxTaken = Math.ceil(MAX_TAKEN / (1 + (before + after) / 8))
    this.#skip = skip
    this.#limit = limit
    this.#room = room
    this.#at = from
    this.to = to ?? this.#text.length
    this.#counted = { at: from, line }
  }

  step(): boolean {
    const text = this.#text
    const { to } = this
    if (this.#at >= to) return true
    const from = this.#at
    if (this.#part && from < this.#part.last) return this.#searchPart(this.#part, from) || this.#at >= this.to
    const { multiline, required } = this.#matcher
    const long = this.#longEnd(from)
    if (long >= 0) {
      this.longLines++
      this.#at = long
      return long >= to
    }
    const begin = this.#partStart(from)
    const border = this.#partEnd(from)
    const end = this.#aheadEnd(begin, Math.min(border, to))
    const part = begin === 0 && end >= text.length ? text : text.slice(begin, end)
    const last = Math.min(multiline && end < text.length ? border : end, to)
    if (required !== undefined && !part.includes(required)) {
      this.#at = last
      return last >= to
    }
    this.#part = { text: part, begin, last }
    return this.#searchPart(this.#part, from) || this.#at >= this.to
  }

  /**
   * Returns the end of the line at `at` if that line is too long to search, or the end of the text if the text can only be searched as a
   * whole and is too long. Otherwise -1.
   */
  #longEnd(at: number): number {
    const { longestLine, slice, reach } = this.#matcher
    const { length } = this.#text
    if (slice === Number.POSITIVE_INFINITY) return length > reach ? length : -1
    if (length - at <= longestLine) return -1
    const end = lineEndAfter(this.#text, at)
    return end - at > longestLine ? end : -1
  }

  #partStart(from: number): number {
    const { multiline, slice } = this.#matcher
    if (slice === Number.POSITIVE_INFINITY) return 0
    return multiline ? lineStart(this.#text, from) : from
  }

  /** Returns the end of the lines that start within a slice. Stops before a line that is too long to search. */
  #partEnd(from: number): number {
    const { slice, longestLine } = this.#matcher
    const text = this.#text
    const end = lineEndAfter(text, from + slice)
    if (end - from <= longestLine) return end
    const begin = lineStart(text, Math.min(from + slice, text.length))
    return begin >= from && end - begin > longestLine ? begin : end
  }

  /** Returns how far matches that start before `border` may extend without exceeding what can be searched at once. */
  #aheadEnd(begin: number, border: number): number {
    const { span, slice, longestLine } = this.#matcher
    const text = this.#text
    let end = border
    // A match may cover this many more lines: those before, between and after the loops, and one in which it ends.
    let rest = span.breaks + (span.loops > 0 ? span.loops + 2 : 0)
    while (rest > 0 && end < text.length) {
      const next = lineEndAfter(text, end)
      // The search skips this line, which is too long, and counts the line later.
      if (next - end > longestLine) return end
      if (next - begin > WINDOW * slice) {
        this.#missLong(begin)
        return end
      }
      if (span.loops === 0 || !isOf(span.set, text, end, next)) rest--
      end = next
    }
    if (this.#partial && end === text.length && rest > 0) this.#missLong(begin)
    return end
  }

  #missLong(from: number): void {
    const { required } = this.#matcher
    this.longMatches ||= required === undefined || this.#partial || this.#text.includes(required, from)
  }

  /** Finds all matches that start in `[from, last)`. Returns true when no more matches are needed. */
  #searchPart({ text: part, begin, last }: Part, from: number): boolean {
    const { length } = this.#text
    this.#at = last
    let next = from
    let taken = 0
    let read = 0
    while (next < last) {
      const before = begin + part.length - next
      if (taken > 0 && read + before > this.#matcher.reach) {
        this.#at = next
        return false
      }
      read += before
      const found = this.#matcher.search(part, next - begin)
      if (found < 0) return false
      const start = begin + found
      // There is no line after the final line break.
      const none = start === length && this.#text.charCodeAt(length - 1) === 10
      if (none || (start >= last && (start < length || last < length))) return false
      const end = this.#matcher.multiline ? Math.max(start, begin + this.#matcher.end) : start
      if (this.#take(start, end)) return true
      next = this.#behind(start, end)
      taken++
      if (next > this.#at || taken === this.#maxTaken) this.#at = next
      if (taken === this.#maxTaken) return false
    }
    return false
  }

  /** Returns the offset at which the search continues after a match. */
  #behind(start: number, end: number): number {
    // A match may start on the line on which the previous one ends.
    if (this.#matcher.multiline) return end > start ? end : afterCharacter(this.#text, end)
    return lineEndAfter(this.#text, start)
  }

  /** Returns true when no more matches are needed. */
  #take(start: number, end: number): boolean {
    if (this.#mode === 'content' && start < this.#run.end) {
      this.#extend(end)
      return false
    }
    const isFull = this.matches.length >= this.#limit || this.size >= this.#room
    if (this.#mode === 'content' && this.count >= this.#skip && isFull) {
      this.more = true
      return true
    }
    this.count++
    const last = lastTouched(start, end)
    this.#runTo(start, last)
    this.#sized = this.size
    if (this.#mode === 'content' && this.count > this.#skip) this.matches.push(this.#describe(start, last))
    return this.#mode === 'files'
  }

  /** Records the last match, so that later matches that start on its last line join its group. */
  #runTo(start: number, last: number): void {
    const end = this.#matcher.multiline || this.#mode === 'content' ? lineEndAfter(this.#text, last) : 0
    this.#run = { start, end }
    this.to = Math.max(this.to, end)
  }

  /** If the match is on a line that is already in the result, extends its group. */
  #extend(end: number): void {
    const { start } = this.#run
    const last = lastTouched(start, end)
    if (last < this.#run.end) return
    this.#runTo(start, last)
    if (this.count > this.#skip) this.matches[this.matches.length - 1] = this.#describe(start, last)
  }

  #describe(start: number, end: number): GrepMatch {
    const text = this.#text
    const from = lineStart(text, start)
    const to = lineEnd(text, end)
    const line = this.#counted.line + countBreaks(text, this.#counted.at, from)
    this.#counted = { at: from, line }
    const { before, after } = this.#context
    const match = {
      line,
      column: utf8Length(text.slice(from, start)) + 1,
      text: cutLine(withoutReturn(text.slice(from, to)), start - from),
      ...(before > 0 && { before: linesBefore(text, from, before) }),
      ...(after > 0 && { after: linesAfter(text, to, after) }),
    }
    this.size = this.#sized + sizeOf(match)
    return match
  }
}

/** Whether a range of the text contains only characters of the set. */
function isOf(set: CharSet, text: string, from: number, to: number): boolean {
  if (set[0] === ALL[0] && set[1] === ALL[1]) return true
  for (let at = from; at < to; at = afterCharacter(text, at)) if (!has(set, text.codePointAt(at) ?? 0)) return false
  return true
}

function sizeOf({ text, before = [], after = [] }: GrepMatch): number {
  let size = LINE_OVERHEAD * countBreaks(text, 0, text.length)
  for (const line of [text, ...before, ...after]) size += LINE_OVERHEAD + line.length
  return size
}

/** Returns the offset of the last character of a match. If this character is a line break, the next line is not part of the match. */
function lastTouched(start: number, end: number): number {
  return Math.max(start, end - 1)
}

function afterCharacter(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

/** Returns the end of the line at `at`, without its line break. */
function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at)
  return found < 0 ? text.length : found
}

/** Returns the start of the next line. */
function lineEndAfter(text: string, at: number): number {
  return at >= text.length ? text.length : Math.min(text.length, lineEnd(text, at) + 1)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function linesBefore(text: string, from: number, count: number): string[] {
  const lines: string[] = []
  for (let to = from; lines.length < count && to > 0; ) {
    const start = lineStart(text, to - 1)
    lines.push(cutLine(withoutReturn(text.slice(start, to - 1))))
    to = start
  }
  return lines.reverse()
}

function linesAfter(text: string, to: number, count: number): string[] {
  const lines: string[] = []
  for (let from = to + 1; lines.length < count && from < text.length; ) {
    const end = lineEnd(text, from)
    lines.push(cutLine(withoutReturn(text.slice(from, end))))
    from = end + 1
  }
  return lines
}

const MAX_LINE = 2000
// Characters shown before a match that is far from the start of its line.
const LEAD = 200

/** Truncates lines over 2,000 characters to the part around `at`, with marks for omitted text. */
function cutLine(line: string, at = 0): string {
  if (line.length <= MAX_LINE) return line
  const latest = line.length - MAX_LINE
  const start = at + LEAD <= MAX_LINE ? 0 : codePointBoundary(line, Math.min(at - LEAD, latest))
  const end = at - LEAD >= latest ? line.length : codePointBoundary(line, start + MAX_LINE)
  const before = start > 0 ? `[${start} characters cut]` : ''
  const after = end < line.length ? `[${line.length - end} characters cut]` : ''
  return before + line.slice(start, end) + after
}
