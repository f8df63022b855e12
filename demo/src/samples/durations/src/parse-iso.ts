import { DurationError } from './duration-error.ts'
import { type Unit, units } from './units.ts'

const NUMBER = String.raw`(\d+(?:\.\d+)?)`
const ISO = new RegExp(`^P(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?=\\d)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`)

/** Reads `P1DT12H30M`, as ISO 8601 writes durations. Milliseconds. @throws {DurationError} */
export function parseIso(text: string): number {
  const [, ...counts] = ISO.exec(text) ?? []
  if (!counts.some((count) => count !== undefined)) throw new DurationError(text, 'ISO 8601 has it as in P1DT12H30M')
  // The groups of the pattern are in the order of the units.
  return counts.reduce((total, count, index) => total + Number(count ?? 0) * (units[index] as Unit).milliseconds, 0)
}
