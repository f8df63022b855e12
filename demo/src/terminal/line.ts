import type { KeyName } from './keys.js'

/** The edited text. `cursor` counts UTF-16 code units. */
export interface Line {
  readonly text: string
  readonly cursor: number
}

export const EMPTY: Line = { text: '', cursor: 0 }

const segmenter = new Intl.Segmenter()

/** Inserts text at the cursor. */
export function insert({ text, cursor }: Line, added: string): Line {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length }
}

/** Applies an editing or movement key. Returns the same line for other keys. */
export function edit(line: Line, key: KeyName): Line {
  const { text, cursor } = line
  const to = (next: number): Line => ({ text, cursor: next })
  const remove = (from: number, until: number): Line => ({ text: text.slice(0, from) + text.slice(until), cursor: from })
  switch (key) {
    case 'newline':
      return insert(line, '\n')
    case 'left':
      return to(before(line))
    case 'right':
      return to(after(line))
    case 'home':
      return to(lineStart(line))
    case 'end':
      return to(lineEnd(line))
    case 'word-left':
      return to(wordStart(line))
    case 'word-right':
      return to(wordEnd(line))
    case 'backspace':
      return remove(before(line), cursor)
    case 'delete':
      return remove(cursor, after(line))
    case 'delete-word':
      return remove(wordStart(line), cursor)
    case 'delete-to-start':
      return remove(lineStart(line), cursor)
    case 'delete-to-end':
      return remove(cursor, lineEnd(line))
  }
  return line
}

/** Moves the cursor one row up or down in the same column. Undefined if there is no such row. */
export function moveRow(line: Line, step: -1 | 1): Line | undefined {
  const column = line.cursor - lineStart(line)
  const edge = step < 0 ? lineStart(line) - 1 : lineEnd(line) + 1
  if (edge < 0 || edge > line.text.length) return undefined
  const start = step < 0 ? lineStart({ text: line.text, cursor: edge }) : edge
  const end = lineEnd({ text: line.text, cursor: start })
  return { text: line.text, cursor: Math.min(start + column, end) }
}

/** Moves by grapheme clusters, which users perceive as single characters. */
function before({ text, cursor }: Line): number {
  return cursor - (segmenter.segment(text).containing(cursor - 1)?.segment.length ?? 0)
}

function after({ text, cursor }: Line): number {
  return cursor + (segmenter.segment(text).containing(cursor)?.segment.length ?? 0)
}

function lineStart({ text, cursor }: Line): number {
  return text.slice(0, cursor).lastIndexOf('\n') + 1
}

function lineEnd({ text, cursor }: Line): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

const wordStart = ({ text, cursor }: Line): number => cursor - (/[^\s/]*[\s/]*$/.exec(text.slice(0, cursor))?.[0].length ?? 0)
const wordEnd = ({ text, cursor }: Line): number => cursor + (/^[\s/]*[^\s/]*/.exec(text.slice(cursor))?.[0].length ?? 0)
