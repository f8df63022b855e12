import { InputError } from '../errors/index.js'

const TAB_WIDTH = 4
const HEADER = /^\s*(?:#|\/\/|--)/

export interface IndentationOptions {
  /** One-based line to start from. */
  readonly anchorLine: number
  /** Number of indentation levels (4 columns each) to go outwards from the anchor. 0: unlimited. */
  readonly maxLevels: number
  /** Also include the other blocks at the outermost level. */
  readonly includeSiblings: boolean
  /** Also include the comment lines above the first line of the block. */
  readonly includeHeader: boolean
  /** Maximum number of lines to return. */
  readonly limit: number
  /** Another maximum number of lines to return. The lower maximum counts. */
  readonly maxLines?: number
}

/**
 * Returns the range of lines around the anchor that are indented deeply enough. Extends the range alternately by one line up and one line
 * down. The range has no blank lines at its ends. Lines are one-based and inclusive. If all lines are blank, the range is only the anchor.
 *
 * @throws {InputError} `invalid_input` if the anchor is not a line of the text.
 */
export function readIndentation(lines: readonly string[], options: IndentationOptions): { start: number; end: number } {
  const { anchorLine, maxLevels, includeSiblings, includeHeader, limit, maxLines } = options
  assertAnchor(anchorLine, lines.length)
  const anchor = anchorLine - 1
  const cap = Math.min(limit, maxLines ?? limit, lines.length)
  if (cap <= 1) return { start: anchorLine, end: anchorLine }

  const first = Math.max(0, anchor - cap)
  const indents = effectiveIndents(lines, first, Math.min(lines.length, anchor + cap + 1))
  const indentOf = (index: number): number => indents[index - first] ?? 0
  const min = maxLevels === 0 ? 0 : Math.max(0, indentOf(anchor) - maxLevels * TAB_WIDTH)
  const isHeader = (index: number): boolean => includeHeader && HEADER.test(lines[index] ?? '')

  let top = anchor
  let bottom = anchor
  // At the outermost level without siblings, one line above opens the block (with comments above it), and one line below closes it.
  let opened = false
  let closed = false
  const takesUp = (): boolean => {
    const next = top - 1
    if (next < 0 || indentOf(next) < min) return false
    if (includeSiblings || indentOf(next) > min) return true
    if (opened && !isHeader(next)) return false
    opened = true
    return true
  }
  const takesDown = (): boolean => {
    const next = bottom + 1
    if (next >= lines.length || indentOf(next) < min) return false
    if (includeSiblings || indentOf(next) > min) return true
    if (closed) return false
    closed = true
    return true
  }

  let up = true
  let down = true
  while ((up || down) && bottom - top + 1 < cap) {
    up = up && takesUp()
    if (up) top--
    if (bottom - top + 1 >= cap) break
    down = down && takesDown()
    if (down) bottom++
  }
  return trimBlank(lines, top, bottom, anchor)
}

function assertAnchor(anchorLine: number, total: number): void {
  if (Number.isInteger(anchorLine) && anchorLine >= 1 && anchorLine <= total) return
  const message = `Cannot read around line ${anchorLine}: the text has ${total} lines`
  throw new InputError('invalid_input', message, { issues: [{ path: 'indentation.anchor_line', message }] })
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

/** Returns the columns of leading white space of each line. A blank line counts like the previous line that is not blank. */
function effectiveIndents(lines: readonly string[], from: number, to: number): Int32Array {
  const indents = new Int32Array(to - from)
  let before = from - 1
  while (before >= 0 && isBlank(lines[before])) before--
  let current = columns(lines[before] ?? '')
  for (let index = from; index < to; index++) {
    const line = lines[index] ?? ''
    if (!isBlank(line)) current = columns(line)
    indents[index - from] = current
  }
  return indents
}

function columns(line: string): number {
  let count = 0
  for (let i = 0; i < line.length; i++) {
    const unit = line.charCodeAt(i)
    if (unit === 32) count++
    else if (unit === 9) count += TAB_WIDTH
    else break
  }
  return count
}

function trimBlank(lines: readonly string[], top: number, bottom: number, anchor: number): { start: number; end: number } {
  let first = top
  let last = bottom
  while (first <= last && isBlank(lines[first])) first++
  while (last >= first && isBlank(lines[last])) last--
  return first > last ? { start: anchor + 1, end: anchor + 1 } : { start: first + 1, end: last + 1 }
}
