type LineEnding = 'LF' | 'CRLF' | 'CR' | 'mixed' | 'none'

export interface TextLines {
  readonly lines: readonly string[]
  readonly eol: LineEnding
  readonly finalNewline: boolean
}

const ENDING = /\r\n|\n|\r/g

/** Splits a text into lines without their endings, counted like read_file does: a final newline ends the last line and starts none. */
export function splitLines(text: string): TextLines {
  const lines: string[] = []
  const endings = new Set<string>()
  let from = 0
  for (const match of text.matchAll(ENDING)) {
    lines.push(text.slice(from, match.index))
    endings.add(match[0])
    from = match.index + match[0].length
  }
  const finalNewline = text.length > 0 && from === text.length
  if (from < text.length) lines.push(text.slice(from))
  return { lines, eol: nameOf(endings), finalNewline }
}

function nameOf(endings: ReadonlySet<string>): LineEnding {
  if (endings.size === 0) return 'none'
  if (endings.size > 1) return 'mixed'
  return endings.has('\n') ? 'LF' : endings.has('\r\n') ? 'CRLF' : 'CR'
}
