import type { Spread } from './measure.js'

export interface Row {
  readonly group: string
  readonly name: string
  /** Microseconds per call or, in rows about memory, bytes per file. Absent without a floor. */
  readonly floor?: number
  readonly ours?: number
  /** Spread of the ratio, or of the figure itself without a floor. */
  readonly spread: Spread
  readonly unit: 'x' | 'us' | 'ms' | 'KiB' | 'MiB'
  readonly target?: number
  /** Missing program, because of which nothing was measured. */
  readonly needs?: string
  /** The value that must not exceed the target; default `median`. */
  readonly bound?: 'median' | 'max'
}

/** Whether the row meets its target. Undefined without a target, and if nothing was measured. */
export function isMet({ spread, target, bound = 'median', needs }: Row): boolean | undefined {
  return target === undefined || needs !== undefined ? undefined : spread[bound] <= target
}

const WIDTHS = [46, 10, 10, 8, 8, 8, 13, 7, 12]
const HEADS = ['floor us', 'ours us', 'min', 'median', 'max', 'target', '', 'before']

export function renderHead(): string {
  return columns(['', ...HEADS])
}

/** `before`: the same row of an earlier run. */
export function renderRow(row: Row, before?: Row): string {
  const { name, needs } = row
  return needs === undefined ? columns([`  ${name}`, ...cellsOf(row, before)]) : `  ${name}: not measured, install ${needs}`
}

export function renderMarkdown(rows: readonly Row[], beforeOf: (row: Row) => Row | undefined): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const groups = [...new Set(rows.map(({ group }) => group))].map((group) => {
    const lines = rows
      .filter((row) => row.group === group)
      .map((row) => line([row.name, ...(row.needs === undefined ? cellsOf(row, beforeOf(row)) : [`not measured: install ${row.needs}`])]))
    return [`## ${group}`, '', line(['', ...HEADS]), `|${'-|'.repeat(HEADS.length + 1)}`, ...lines].join('\n')
  })
  return groups.join('\n\n')
}

function cellsOf(row: Row, before: Row | undefined): string[] {
  const { floor, ours, spread, unit, target, bound } = row
  const limit = target === undefined ? '' : `${bound === 'max' ? 'max ' : ''}<= ${target}${unit === 'x' ? 'x' : ` ${unit}`}`
  const met = isMet(row)
  const verdict = met === undefined ? '' : met ? 'ok' : 'MISSED'
  const ratio = (value: number): string => `${round(value)}${unit === 'x' ? 'x' : unit === 'MiB' ? 'M' : unit === 'KiB' ? 'K' : ''}`
  return [
    floor === undefined ? '' : round(floor),
    ours === undefined ? '' : round(ours),
    ratio(spread.min),
    ratio(spread.median),
    ratio(spread.max),
    limit,
    verdict,
    before?.spread ? ratio(before.spread.median) : '',
  ]
}

function columns(cells: readonly string[]): string {
  const line = cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart((WIDTHS[i] ?? 0) + 1)))
  return line.join('').trimEnd()
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
