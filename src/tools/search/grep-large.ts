import type { LineMatcher } from '../../ops/regex.js'
import type { ToolContext } from '../../types/tool.js'

/** Characters behind the part that is searched: what lines after a match and matches over several lines need. */
const AHEAD = 256 * 1024
/** Lines longer than this many pieces are not searched. */
const LONGEST = 4

/** Why a file is not searched to its end: for `too_large`, a line that fits in no piece, or a pattern about the whole text. */
export type Refused = 'binary' | 'too_large'

/** A part of a file that is too large to be held whole. */
export interface Piece {
  readonly text: string
  /** Matches that begin here are wanted; `from` and `to` are beginnings of lines. */
  readonly from: number
  readonly to: number
  /** The number of the line at `from`. */
  readonly line: number
}

/** The file in pieces, until it turns out to be one that is not searched. */
export async function* pieces(path: string, context: ToolContext, matcher: LineMatcher, before: number): AsyncGenerator<Piece | Refused> {
  const size = context.limits.grepFileBytes
  // The pattern can only be searched in the whole text.
  if (matcher.slice === Number.POSITIVE_INFINITY) return yield 'too_large'
  const decoder = new TextDecoder()
  let [text, from, line] = ['', 0, 1]
  for (let at = 0, isEnd = false; !isEnd; ) {
    const { bytes } = await context.workspace.readBytes(path, { offset: at, length: size })
    at += bytes.length
    isEnd = bytes.length === 0
    const added = decoder.decode(bytes, { stream: !isEnd })
    if (added.includes('\0')) return yield 'binary'
    text = matcher.seesReturns ? text + added : (text + added).replaceAll('\r\n', '\n')
    const to = isEnd ? text.length : text.lastIndexOf('\n', text.length - Math.min(AHEAD, size)) + 1
    if (to > from) {
      yield { text, from, to, line }
      line += lineCount(text, from, to)
      const keep = startOfLines(text, to, before)
      text = text.slice(keep)
      from = to - keep
    } else if (text.length > LONGEST * size) return yield 'too_large'
  }
}

function lineCount(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Where the lines before `to` begin. */
function startOfLines(text: string, to: number, lines: number): number {
  let at = to
  for (let i = 0; i < lines && at > 0; i++) at = at < 2 ? 0 : text.lastIndexOf('\n', at - 2) + 1
  return at
}
