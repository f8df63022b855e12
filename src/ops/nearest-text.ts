import { lineStarts, splitLines } from './lines.js'
import { normalized } from './unicode-form.js'

/** Maximum length of a text to search, so that the hint does not cost more than the edit. */
const MAX_TEXT = 1024 * 1024
const MAX_LINES_LOOKED = 20_000
const MAX_ANCHORS = 16
const MAX_HITS = 200
const MAX_WINDOWS = 24
const MAX_LINES_COMPARED = 40
const MAX_LINE_UNITS = 200
const MIN_SIMILARITY = 0.45

/** The lines of a text that are most similar to a text that does not occur in it. */
export interface NearText {
  /** Number of the first similar line, one-based. */
  readonly line: number
  /** The similar lines, joined by LF: as many as the sought text has. */
  readonly text: string
  /** From 0 to 1. */
  readonly similarity: number
  /** The lines of the sought text, without surrounding blank lines. */
  readonly sought: readonly string[]
}

/**
 * Finds the lines of a text that are most similar to `sought`. Compares only windows of lines that share words with `sought`. Undefined if
 * nothing is similar enough.
 */
export function nearestText(text: string, sought: string): NearText | undefined {
  const lines = withoutBlankEnds(splitLines(sought))
  if (lines.length === 0 || text.length > MAX_TEXT) return undefined
  const starts = lineStarts(text)
  const lineAt = (index: number): string => textOfLine(text, starts, index)
  let best = { at: -1, similarity: MIN_SIMILARITY }
  // Short lines contain no word to search for, so also try lines that differ only in spelling.
  for (const at of [...sameButSpelled(lines, starts.length, lineAt), ...candidateWindows(text, starts, lines)]) {
    const similarity = windowSimilarity(lines, (i) => lineAt(at + i))
    if (similarity > best.similarity || (similarity === best.similarity && at < best.at)) best = { at, similarity }
  }
  if (best.at < 0) return undefined
  const window = lines.map((_, i) => lineAt(best.at + i)).slice(0, starts.length - best.at)
  return { line: best.at + 1, text: window.join('\n'), similarity: Math.round(best.similarity * 100) / 100, sought: lines }
}

/** The first window whose lines differ only in surrounding white space or in their Unicode form. */
function sameButSpelled(sought: readonly string[], count: number, lineAt: (index: number) => string): number[] {
  const isAscii = sought.every((line) => !/[^\0-\x7f]/.test(line))
  const fold = (line: string): string => (isAscii ? line.trim() : normalized(line.trim()))
  const folded = sought.map(fold)
  const end = Math.min(count - sought.length, MAX_LINES_LOOKED)
  for (let at = 0; at <= end; at++) if (folded.every((line, i) => fold(lineAt(at + i)) === line)) return [at]
  return []
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const isText = (line: string): boolean => line.trim() !== ''
  return lines.slice(lines.findIndex(isText), lines.findLastIndex(isText) + 1)
}

function textOfLine(text: string, starts: readonly number[], index: number): string {
  const from = starts[index]
  if (from === undefined) return ''
  return text.slice(from, starts[index + 1] ?? text.length).replace(/\r?\n$/, '')
}

/** Returns the first lines (zero-based) of the windows that share the most words with the sought lines. Rare words have more weight. */
function candidateWindows(text: string, starts: readonly number[], lines: readonly string[]): number[] {
  // In a few scripts, lower case has another length and would shift offsets. Then the search is case-sensitive.
  const lower = text.toLowerCase()
  const haystack = lower.length === text.length ? lower : text
  const votes = new Map<number, number>()
  for (const [anchor, at] of anchorsOf(lines)) {
    const hits = offsetsOf(haystack, haystack === text ? anchor : anchor.toLowerCase())
    for (const hit of hits) {
      const window = Math.max(0, lastAtOrBelow(starts, hit) - at)
      votes.set(window, (votes.get(window) ?? 0) + anchor.length / (hits.length + 1))
    }
  }
  return [...votes]
    .sort(([lineA, a], [lineB, b]) => b - a || lineA - lineB)
    .slice(0, MAX_WINDOWS)
    .map(([line]) => line)
}

/**
 * Returns words with the index of their line, longest first. For a long word, returns its two ends, so that one changed letter does not
 * hide the word.
 */
function anchorsOf(lines: readonly string[]): (readonly [string, number])[] {
  const found = new Map<string, number>()
  for (const [index, line] of lines.slice(0, MAX_LINES_COMPARED).entries()) {
    for (const [word] of line.slice(0, MAX_LINE_UNITS * 2).matchAll(/[\p{L}\p{N}_$]{2,}/gu)) {
      for (const part of word.length > 8 ? [word.slice(0, 6), word.slice(-6)] : [word]) if (!found.has(part)) found.set(part, index)
    }
  }
  return [...found].sort(([a], [b]) => b.length - a.length).slice(0, MAX_ANCHORS)
}

function offsetsOf(text: string, word: string): number[] {
  const offsets: number[] = []
  for (let at = text.indexOf(word); at >= 0 && offsets.length < MAX_HITS; at = text.indexOf(word, at + word.length)) offsets.push(at)
  return offsets
}

function lastAtOrBelow(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

function windowSimilarity(lines: readonly string[], lineAt: (index: number) => string): number {
  const compared = Math.min(lines.length, MAX_LINES_COMPARED)
  let weight = 0
  let sum = 0
  for (let i = 0; i < compared; i++) {
    const line = lines[i] ?? ''
    const share = Math.min(line.trim().length, MAX_LINE_UNITS) + 1
    weight += share
    sum += share * lineSimilarity(line, lineAt(i))
  }
  return sum / weight
}

function lineSimilarity(a: string, b: string): number {
  if (a === b) return 1
  const left = a.trim().slice(0, MAX_LINE_UNITS)
  const right = b.trim().slice(0, MAX_LINE_UNITS)
  if (left === right || normalized(left) === normalized(right)) return 0.95
  return 0.9 * sharedPairs(left.toLowerCase(), right.toLowerCase())
}

/** Returns the similarity of two texts: the Dice coefficient of their pairs of adjacent code units. */
function sharedPairs(a: string, b: string): number {
  if (a.length < 2 || b.length < 2) return a === b ? 1 : 0
  const pairs = new Map<number, number>()
  for (let i = 1; i < a.length; i++) {
    const pair = pairAt(a, i)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  let shared = 0
  for (let i = 1; i < b.length; i++) {
    const pair = pairAt(b, i)
    const left = pairs.get(pair) ?? 0
    if (left === 0) continue
    pairs.set(pair, left - 1)
    shared++
  }
  return (2 * shared) / (a.length + b.length - 2)
}

const pairAt = (text: string, i: number): number => text.charCodeAt(i - 1) * 65_536 + text.charCodeAt(i)
