import type { Marker } from './marks.js'

/** A part of a displayed line. */
export interface Piece {
  readonly text: string
  readonly isMatch: boolean
}

/** `grep` cuts lines that are longer than this. */
const UNCUT = 2000
const BEGINNING_CUT = /^\[\d+ characters cut\]/
const END_CUT = /\[\d+ characters cut\]$/
/**
 * If more than `longest` characters precede the first match, only the last `kept` ones are shown. Otherwise a narrow pane would not show
 * the match.
 */
const LEAD = { longest: 16, kept: 9 }
const LONGEST = 250

export const isCut = (line: string): boolean => line.length > UNCUT && (BEGINNING_CUT.test(line) || END_CUT.test(line))

/** Shortens a line for one row: starts shortly before the first match, with an ellipsis for omitted text. */
export function previewOf(line: string, mark: Marker): readonly Piece[] {
  const text = isCut(line) ? line.replace(BEGINNING_CUT, '').replace(END_CUT, '') : line
  const ranges = mark(text)
  const indent = text.length - text.trimStart().length
  const first = ranges[0]?.from ?? indent
  const from = first - indent > LEAD.longest ? boundary(text, first - LEAD.kept) : Math.min(indent, first)
  const to = boundary(text, Math.min(text.length, from + LONGEST))
  const pieces: Piece[] = []
  const add = (start: number, end: number, isMatch: boolean): void => {
    if (end > start) pieces.push({ text: text.slice(start, end), isMatch })
  }
  if (from > indent || BEGINNING_CUT.test(isCut(line) ? line : '')) pieces.push({ text: '…', isMatch: false })
  let at = from
  for (const range of ranges) {
    if (range.from >= to) break
    add(at, range.from, false)
    add(range.from, Math.min(range.to, to), true)
    at = Math.min(range.to, to)
  }
  add(at, to, false)
  if (to < text.length || (isCut(line) && END_CUT.test(line))) pieces.push({ text: '…', isMatch: false })
  return pieces
}

/** Moves a position out of a surrogate pair. */
function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
