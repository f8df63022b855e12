import { largest } from '../shared/bulk.js'

const TAB = 8

/** Arranges names in as many columns as `width` allows, filled downwards (`-C`) or across (`-x`). */
export function inColumns(names: readonly string[], width: number, across: boolean): string[] {
  for (let columns = Math.min(names.length, Math.max(1, Math.floor(width / 3))); columns > 1; columns--) {
    const rows = Math.ceil(names.length / columns)
    const at = (row: number, column: number): string | undefined => names[across ? row * columns + column : column * rows + row]
    if (!across && Math.ceil(names.length / rows) < columns) continue
    const widths = Array.from({ length: columns }, (_, column) => {
      const lengths = Array.from({ length: rows }, (__, row) => lengthOf(at(row, column) ?? ''))
      return largest(lengths) + (column === columns - 1 ? 0 : 2)
    })
    if (widths.reduce((sum, each) => sum + each, 0) >= width) continue
    return Array.from({ length: rows }, (_, row) => line(widths, (column) => at(row, column)))
  }
  return [...names]
}

const lengthOf = (name: string): number => [...name].length

function line(widths: readonly number[], name: (column: number) => string | undefined): string {
  let out = ''
  let at = 0
  let start = 0
  widths.forEach((width, column) => {
    const text = name(column)
    if (text === undefined) return
    out += indent(at, start) + text
    at = start + lengthOf(text)
    start += width
  })
  return out
}

function indent(from: number, to: number): string {
  let out = ''
  for (let at = from; at < to; ) {
    const tab = Math.floor(to / TAB) > Math.floor((at + 1) / TAB)
    out += tab ? '\t' : ' '
    at += tab ? TAB - (at % TAB) : 1
  }
  return out
}
