import { DurationError } from './duration-error.ts'
import { parseIso } from './parse-iso.ts'
import { type Unit, unitNamed } from './units.ts'

/** A number and its unit, with what may stand before it: blanks, a comma, an "and". */
const PART = /\s*(?:,|and\b)?\s*(\d+(?:\.\d+)?)\s*([a-z]+)/iy

/**
 * Reads `1h 30m`, `1.5 hours`, `2 days, 3 hours and 5 minutes`, `-15min` and `PT1H30M`. Milliseconds.
 *
 * @throws {DurationError}
 */
export function parseDuration(text: string): number {
  const trimmed = text.trim()
  const isNegative = trimmed.startsWith('-')
  const rest = isNegative ? trimmed.slice(1) : trimmed
  if (rest === '') throw new DurationError(text, 'there is nothing in it')
  const total = rest.startsWith('P') ? parseIso(rest) : parseParts(rest)
  return isNegative && total !== 0 ? -total : total
}

function parseParts(text: string): number {
  const part = new RegExp(PART)
  let total = 0
  let last: Unit | undefined
  while (part.lastIndex < text.length) {
    const at = part.lastIndex
    const [, count = '', name = ''] = part.exec(text) ?? []
    if (name === '') throw new DurationError(text, `"${text.slice(at).trim()}" is no number with a unit`)
    const unit = unitNamed(name)
    if (!unit) throw new DurationError(text, `there is no unit "${name}"`)
    if (last && unit.milliseconds >= last.milliseconds) throw new DurationError(text, `"${name}" stands behind "${last.short}"`)
    total += Number(count) * unit.milliseconds
    last = unit
  }
  return total
}
