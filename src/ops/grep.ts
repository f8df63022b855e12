import { ALL, type CharSet, has } from './char-set.js'
import { countBreaks } from './lines.js'
import type { LineMatcher } from './regex/line-matcher.js'
import { codePointBoundary, utf8Length } from './utf8.js'

export interface GrepOptions {
  /** `content` (default) collects matches, `files` stops at the first, `count` only counts. */
  readonly mode?: 'content' | 'files' | 'count'
  /** Lines before each match; default 0. */
  readonly before?: number
  /** Lines after each match; default 0. */
  readonly after?: number
  /** Matches collected at the most; default all. */
  readonly limit?: number
  /** Characters collected at the most, `LINE_OVERHEAD` more for each line; the match that reaches the bound still comes whole. Default all. */
  readonly room?: number
  /** Matches left out at the beginning: those of an earlier page. Default 0. */
  readonly skip?: number
  /** The part of the text in which matches begin, at beginnings of lines; around it is context. Default all of it. */
  readonly from?: number
  readonly to?: number
  /** The number of the line at `from`. Default 1. */
  readonly line?: number
  /** More of the text follows behind it. Default false. */
  readonly partial?: boolean
  /** Every `\r\n` that is a line break is `\n` already. Default false. */
  readonly unified?: boolean
}

export interface GrepMatch {
  /** 1-based. */
  readonly line: number
  /** 1-based, in bytes of UTF-8, as ripgrep counts. */
  readonly column: number
  /** The line, or with `multiline` every line that the match touches, without the last line break; cut when it is very long. */
  readonly text: string
  /** Present when lines before were asked for, in file order. */
  readonly before?: readonly string[]
  /** Present when lines after were asked for. */
  readonly after?: readonly string[]
}

/** The search of one text, in steps of a few milliseconds each. */
export interface Grep {
  /** Searches on. True when it is finished: the end was reached, or nothing more is asked for. */
  step(): boolean
  /** Collected so far (`content` only). */
  readonly matches: readonly GrepMatch[]
  /** Found so far, those skipped included: matching lines, or with `multiline` matches (`content`: runs of lines with matches). */
  readonly count: number
  /** Characters collected so far, as `room` counts them. */
  readonly size: number
  /** There is at least one more match than `limit` or `room` allows. */
  readonly more: boolean
  /** Where the searched part ends: behind the last line of a match that begins in it and ends after it. */
  readonly to: number
  /** Lines left out because they are too long for the pattern's engine; plain text is found in any. */
  readonly longLines: number
  /** A match over so many lines that they cannot be searched at once may have been missed or cut short. */
  readonly longMatches: boolean
}

/** Searches a text. `\r\n` is a line break like `\n`, unless the pattern names carriage returns. */
export function createGrep(text: string, matcher: LineMatcher, options: GrepOptions = {}): Grep {
  return new Search(text, matcher, options)
}

/** The whole search at once, for texts that are known to be short. */
export function grepText(text: string, matcher: LineMatcher, options: GrepOptions = {}): Pick<Grep, 'matches' | 'count' | 'more'> {
  const search = createGrep(text, matcher, options)
  while (!search.step());
  return search
}

/** So many slices are searched at once at the most, with what is read ahead. */
const WINDOW = 4
// Matches in one step: some microseconds each, and as much for every eight lines around them.
const MAX_TAKEN = 1000

/** What a line costs beside its characters: an object in memory, its number, quotes. */
const LINE_OVERHEAD = 64

/** What is searched at once: the text from `begin`, for matches that begin before `last`. */
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
  /** The size of all matches before the last. */
  #sized = 0
  /** Everything before it is searched. By lines it is always the beginning of a line. */
  #at: number
  to: number
  #part: Part | undefined
  /** The last match of a content search, and the end of its last line. */
  #run = { start: 0, end: 0 }
  /** A place whose line number is known. */
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

  /** Where what is too long to be searched ends, if it begins at `at`: a line, or a text that can only be searched as a whole; else -1. */
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

  /** The end of the lines that begin within a slice, before a line too long to be searched. */
  #partEnd(from: number): number {
    const { slice, longestLine } = this.#matcher
    const text = this.#text
    const end = lineEndAfter(text, from + slice)
    if (end - from <= longestLine) return end
    const begin = lineStart(text, Math.min(from + slice, text.length))
    return begin >= from && end - begin > longestLine ? begin : end
  }

  /** How far matches may go that begin before `border`, as far as can be searched. */
  #aheadEnd(begin: number, border: number): number {
    const { span, slice, longestLine } = this.#matcher
    const text = this.#text
    let end = border
    // Before, between and behind the loops there is room for so many lines, and the match may end in one more.
    let rest = span.breaks + (span.loops > 0 ? span.loops + 2 : 0)
    while (rest > 0 && end < text.length) {
      const next = lineEndAfter(text, end)
      // It is left out, and counted when its turn comes.
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

  /** All matches that begin in `[from, last)`. True when nothing more is asked for. */
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
      // Behind the final line break there is no line.
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

  /** Where the search goes on. */
  #behind(start: number, end: number): number {
    // A match may begin on the line where the one before it ends.
    if (this.#matcher.multiline) return end > start ? end : afterCharacter(this.#text, end)
    return lineEndAfter(this.#text, start)
  }

  /** True when nothing more is asked for. */
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

  /** What begins on the last line of a match is searched with it. */
  #runTo(start: number, last: number): void {
    const end = this.#matcher.multiline || this.#mode === 'content' ? lineEndAfter(this.#text, last) : 0
    this.#run = { start, end }
    this.to = Math.max(this.to, end)
  }

  /** A match on a line that is shown already belongs to its run of lines. */
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

/** Whether a part of the text holds nothing else. */
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

/** The last character of a match, so that a line break at its end does not add the next line. */
function lastTouched(start: number, end: number): number {
  return Math.max(start, end - 1)
}

function afterCharacter(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

/** Where the line at `at` ends, its line break left out. */
function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at)
  return found < 0 ? text.length : found
}

/** The beginning of the line after the one at `at`. */
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
// Characters shown in front of a match that is too far behind for the beginning of its line to be shown.
const LEAD = 200

/** A line as it is shown: over 2,000 characters only the part around `at` is left, with marks for what was cut. */
function cutLine(line: string, at = 0): string {
  if (line.length <= MAX_LINE) return line
  const latest = line.length - MAX_LINE
  const start = at + LEAD <= MAX_LINE ? 0 : codePointBoundary(line, Math.min(at - LEAD, latest))
  const end = at - LEAD >= latest ? line.length : codePointBoundary(line, start + MAX_LINE)
  const before = start > 0 ? `[${start} characters cut]` : ''
  const after = end < line.length ? `[${line.length - end} characters cut]` : ''
  return before + line.slice(start, end) + after
}
