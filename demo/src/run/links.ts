/** A piece of a line: plain text, or a location in a file. */
export interface LinePart {
  readonly text: string
  readonly place?: Place
}

export interface Place {
  readonly path: string
  /** 1-based. */
  readonly line: number
}

// A path without blanks, followed by a line and optionally a column, as in a stack trace. Each part has a maximum length.
const PLACE = /(?:file:\/\/)?([^\s:()'"<>]{1,256}):(\d{1,9})(?::\d{1,9})?/g

/** Splits a line into locations of workspace files and the text between them. */
export function linkParts(line: string, isPath: (text: string) => boolean): readonly LinePart[] {
  const parts: LinePart[] = []
  let from = 0
  for (const { 0: text, 1: path = '', 2: number, index } of line.matchAll(PLACE)) {
    if (!isPath(path)) continue
    if (index > from) parts.push({ text: line.slice(from, index) })
    parts.push({ text, place: { path, line: Number(number) } })
    from = index + text.length
  }
  if (from < line.length) parts.push({ text: line.slice(from) })
  return parts
}
