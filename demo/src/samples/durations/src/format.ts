import { units } from './units.ts'

export interface FormatOptions {
  /** `1h 30m` (default), `1 hour 30 minutes`, or `PT1H30M`. */
  readonly style?: 'short' | 'long' | 'iso'
  /** How many units are shown at the most; what is left is rounded. Default all. */
  readonly parts?: number
}

/** Prints milliseconds as people or ISO 8601 write them. */
export function formatDuration(milliseconds: number, { style = 'short', parts = units.length }: FormatOptions = {}): string {
  if (!Number.isFinite(milliseconds)) throw new RangeError(`${milliseconds} is no length of time`)
  const counts = countsOf(roundTo(parts, Math.round(Math.abs(milliseconds))))
  const sign = milliseconds < 0 && counts.some((count) => count > 0) ? '-' : ''
  return sign + (style === 'iso' ? isoOf(counts) : wordsOf(counts, style))
}

/** How often each unit fits into what the larger ones left. */
function countsOf(milliseconds: number): number[] {
  let rest = milliseconds
  return units.map((unit) => {
    const count = Math.floor(rest / unit.milliseconds)
    rest -= count * unit.milliseconds
    return count
  })
}

/** Rounds to the unit that is shown last. */
function roundTo(parts: number, milliseconds: number): number {
  const first = countsOf(milliseconds).findIndex((count) => count > 0)
  const last = first < 0 ? undefined : units[first + parts - 1]
  if (!last) return milliseconds
  return Math.round(milliseconds / last.milliseconds) * last.milliseconds
}

function wordsOf(counts: readonly number[], style: 'short' | 'long'): string {
  const words = counts.flatMap((count, index) => {
    const unit = units[index]
    if (!unit || count === 0) return []
    return style === 'short' ? [`${count}${unit.short}`] : [`${count} ${unit.long}${count === 1 ? '' : 's'}`]
  })
  return words.join(' ') || (style === 'short' ? '0s' : '0 seconds')
}

function isoOf([weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0, thousandths = 0]: readonly number[]): string {
  const whole = seconds + thousandths / 1000
  const date = part(weeks, 'W') + part(days, 'D')
  const time = part(hours, 'H') + part(minutes, 'M') + part(whole, 'S')
  if (date === '' && time === '') return 'PT0S'
  return `P${date}${time && `T${time}`}`
}

const part = (count: number, letter: string): string => (count === 0 ? '' : `${count}${letter}`)
