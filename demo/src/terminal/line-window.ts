import type { Line } from './line.js'

/** The visible part of a line, with the number of hidden rows above and below. */
export interface LineWindow extends Line {
  readonly above: number
  readonly below: number
}

/**
 * The rows around the cursor that fit on the screen. Rows in the scrollback cannot be redrawn, so everything that may change has to fit.
 * `rows` and `columns` are the size of the screen.
 */
export function windowOf({ text, cursor }: Line, rows: number, columns: number): LineWindow {
  const lines = text.split('\n')
  const at = text.slice(0, cursor).split('\n').length - 1
  // Upper bound of the height: each character counts as two columns, a tab as eight.
  const height = (line: string): number => Math.ceil((line.replaceAll('\t', '    ').length * 2 + 2) / columns) || 1
  const heights = lines.map(height)
  let room = Math.max(1, rows - 3) - (heights[at] ?? 1)
  let from = at
  let to = at + 1
  for (let grown = true; grown; ) {
    grown = false
    const up = heights[from - 1]
    if (up !== undefined && up <= room) {
      from -= 1
      room -= up
      grown = true
    }
    const down = heights[to]
    if (down !== undefined && down <= room) {
      to += 1
      room -= down
      grown = true
    }
  }
  const skipped = from === 0 ? 0 : lines.slice(0, from).join('\n').length + 1
  return { text: lines.slice(from, to).join('\n'), cursor: cursor - skipped, above: from, below: lines.length - to }
}
