import type { Spread } from './measure.js'

export interface Row {
  readonly group: string
  readonly name: string
  /** Microseconds a call, or bytes a file where `unit` says so. Absent: there is no floor. */
  readonly floor?: number
  readonly ours?: number
  /** Of the ratio, or of the figure itself where there is no floor. */
  readonly spread: Spread
  readonly unit: 'x' | 'us' | 'ms' | 'KiB' | 'MiB'
  readonly target?: number
  /** A program without which nothing was measured. */
  readonly needs?: string
  /** What the target bounds; default `median`. */
  readonly bound?: 'median' | 'max'
}

/** Undefined where there is no target. */
export function isMet({ spread, target, bound = 'median', needs }: Row): boolean | undefined {
  return target === undefined || needs !== undefined ? undefined : spread[bound] <= target
}

const WIDTHS = [46, 10, 10, 8, 8, 8, 13, 7]

export function renderHead(): string {
  return columns(['', 'floor us', 'ours us', 'min', 'median', 'max', 'target', ''])
}

export function renderRow(row: Row): string {
  const { name, floor, ours, spread, unit, target, bound, needs } = row
  if (needs !== undefined) return `  ${name}: not measured, install ${needs}`
  const limit = target === undefined ? '' : `${bound === 'max' ? 'max ' : ''}<= ${target}${unit === 'x' ? 'x' : ` ${unit}`}`
  const met = isMet(row)
  const verdict = met === undefined ? '' : met ? 'ok' : 'MISSED'
  const ratio = (value: number): string => `${round(value)}${unit === 'x' ? 'x' : unit === 'MiB' ? 'M' : unit === 'KiB' ? 'K' : ''}`
  return columns([
    `  ${name}`,
    floor === undefined ? '' : round(floor),
    ours === undefined ? '' : round(ours),
    ratio(spread.min),
    ratio(spread.median),
    ratio(spread.max),
    limit,
    verdict,
  ])
}

function columns(cells: readonly string[]): string {
  const line = cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart((WIDTHS[i] ?? 0) + 1)))
  return line.join('').trimEnd()
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
