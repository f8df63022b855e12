// Lines end at LF or CRLF. A lone CR is an ordinary character. A separator at the end of the text does not start another line.

export type Eol = 'lf' | 'crlf' | 'mixed' | 'none'

const LF = 10
const CR = 13

/** Returns the one-based line of the code unit at `offset`. A separator belongs to the line that it ends. */
export function lineAt(text: string, offset: number): number {
  return countBreaks(text, 0, offset) + 1
}

/** Counts the LFs in `[from, to)`. */
export function countBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Like `lineAt`, for increasing offsets: all calls together take one pass. */
export function lineFinder(text: string): (offset: number) => number {
  let line = 1
  // Remember the next break: otherwise, after the last line break, each call would search to the end of the text.
  let next = text.indexOf('\n')
  return (offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line++
    return line
  }
}

/** Returns the start offset of each line; an empty list for an empty text. */
export function lineStarts(text: string): number[] {
  const starts: number[] = []
  for (let at = 0; at < text.length; ) {
    starts.push(at)
    at = afterBreak(text, at)
  }
  return starts
}

/** Splits the text into lines without separators. */
export function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (!text.includes('\r')) return lines
  const last = text.charCodeAt(text.length - 1) === LF ? lines.length : lines.length - 1
  return lines.map((line, i) => (i < last && line.charCodeAt(line.length - 1) === CR ? line.slice(0, -1) : line))
}

/** Returns which line separators the text has. */
export function detectEol(text: string): Eol {
  if (!text.includes('\r')) return text.includes('\n') ? 'lf' : 'none'
  let lf = false
  let crlf = false
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text.charCodeAt(at - 1) === CR) crlf = true
    else lf = true
    if (lf && crlf) return 'mixed'
  }
  if (lf) return 'lf'
  return crlf ? 'crlf' : 'none'
}

/** Numbers lines like `cat -n`: the line number right-aligned to 6 columns, a tab, the line. Joins lines by LF. */
export function numberLines(lines: readonly string[], first: number): string {
  let out = ''
  for (let i = 0; i < lines.length; i++) {
    const number = first + i
    out += `${i === 0 ? '' : '\n'}${padding(number)}${number}\t${lines[i]}`
  }
  return out
}

// Faster than `padStart`: this is the hot loop of every read.
function padding(number: number): string {
  if (number < 10) return '     '
  if (number < 100) return '    '
  if (number < 1000) return '   '
  if (number < 10_000) return '  '
  return number < 100_000 ? ' ' : ''
}

const afterBreak = (text: string, from: number): number => {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at + 1
}
