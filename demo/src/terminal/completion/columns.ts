import { columnsOf } from '../widths.js'

const GAP = 2
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would obey them.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g

/** Formats names in columns that are read top to bottom, at most `width` characters wide. Each row ends with a line break. */
export function inColumns(names: readonly string[], width: number): string {
  const shown = names.map((name) => name.replace(CONTROLS, '?'))
  const widths = shown.map(columnsOf)
  // Not `Math.max(...widths)`, because many thousand arguments overflow the stack.
  const widest = widths.reduce((most, one) => Math.max(most, one), 0) + GAP
  const columns = Math.max(1, Math.floor((width + GAP - 1) / widest))
  const height = Math.ceil(shown.length / columns)
  let text = ''
  for (let row = 0; row < height; row += 1) {
    for (let at = row; at < shown.length; at += height) {
      const isLast = at + height >= shown.length
      text += shown[at] + (isLast ? '\n' : ' '.repeat(widest - (widths[at] ?? 0)))
    }
  }
  return text
}
