import type { LineMatcher } from '../../ops/compile-pattern.js'
import { countBreaks } from '../../ops/lines.js'
import type { ToolContext } from '../../types/tool.js'
import { Slicer } from '../../workspace/slicer.js'
import { LineText } from './line-text.js'

type PieceContext = Pick<ToolContext, 'host' | 'limits' | 'signal'> & { readonly workspace: Pick<ToolContext['workspace'], 'readBytes'> }

/** Characters after the searched part, for context lines and matches over several lines. */
const AHEAD = 256 * 1024
/** Lines longer than this many pieces are not searched. */
const LONGEST = 4

/** Why a file is not searched to its end. `too_large`: a line does not fit in a piece, or the pattern needs the whole text. */
export type Refused = 'binary' | 'too_large'

/** A part of a file that is too large to be held in memory. */
export interface Piece {
  readonly text: string
  /** Start and end of the range in which requested matches begin. Both are beginnings of lines. */
  readonly from: number
  /** End of the range. The search may move it further. */
  to: number
  /** The number of the line at `from`. */
  readonly line: number
  /** Whether the file continues after the text. */
  readonly partial: boolean
}

export interface PieceSizes {
  /** Bytes to read at once. */
  readonly size: number
  readonly ahead: number
}

/** Yields the file in pieces, until there is a reason to skip the rest. Each piece is searched before the next is requested. */
export async function* pieces(
  path: string,
  { workspace, host, signal, limits }: PieceContext,
  matcher: LineMatcher,
  before: number,
  { size, ahead }: PieceSizes = { size: limits.grepFileBytes, ahead: Math.min(AHEAD, limits.grepFileBytes) },
): AsyncGenerator<Piece | Refused> {
  // The pattern needs the whole text.
  if (matcher.slice === Number.POSITIVE_INFINITY) return yield 'too_large'
  const slicer = new Slicer(host, { signal })
  const reader = new LineText(matcher, slicer)
  let [text, from, line] = ['', 0, 1]
  for (let at = 0, isEnd = false; !isEnd; ) {
    const { bytes } = await workspace.readBytes(path, { offset: at, length: size })
    at += bytes.length
    isEnd = bytes.length === 0
    const added = await reader.read(bytes, isEnd)
    if (added === undefined) return yield 'binary'
    // The text before this offset was already searched.
    const unseen = Math.max(from, text.length - ahead)
    text += added
    const found = text.slice(unseen, Math.max(unseen, text.length - ahead)).lastIndexOf('\n')
    const to = isEnd ? text.length : found < 0 ? from : unseen + found + 1
    if (to > from) {
      const piece = { text, from, to, line, partial: !isEnd }
      yield piece
      line += countBreaks(text, from, piece.to)
      if (slicer.due(text.length >> 9)) await slicer.pause()
      const keep = startOfLines(text, piece.to, before)
      text = text.slice(keep)
      from = piece.to - keep
    } else if (text.length - from > LONGEST * size + ahead) return yield 'too_large'
  }
}

/** Returns the offset at which the last `lines` lines before `to` begin. */
function startOfLines(text: string, to: number, lines: number): number {
  let at = to
  for (let i = 0; i < lines && at > 0; i++) at = at < 2 ? 0 : text.lastIndexOf('\n', at - 2) + 1
  return at
}
