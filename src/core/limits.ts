import type { Limits } from '../types/tool.js'

const KIB = 1024

/** Values in milliseconds and bytes; `Limits` describes each. */
export const defaultLimits: Limits = Object.freeze({
  deadlineMs: 120_000,
  graceMs: 250,
  outputBytes: 64 * KIB,
  grepFileBytes: 8 * KIB * KIB,
  shellStreamBytes: 256 * KIB,
})

/** The longest delay of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1
const MOST: Readonly<Record<string, number>> = { deadlineMs: LONGEST_MS, graceMs: LONGEST_MS }
const LEAST: Readonly<Record<string, number>> = { graceMs: 0 }

/**
 * Returns the defaults with these changes, frozen.
 * @throws TypeError for an unknown name or a value that is not a number; RangeError for a value that is not an integer in range
 */
export function withLimits(changes: Partial<Limits> = {}, defaults: Limits = defaultLimits): Limits {
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(defaultLimits, name)) throw new TypeError(`Cannot set limit "${name}": there is no such limit`)
    if (value !== undefined) checkLimit(name, value)
  }
  const set = Object.entries(changes).filter(([, value]) => value !== undefined)
  return Object.freeze({ ...defaults, ...Object.fromEntries(set) })
}

function checkLimit(name: string, value: unknown): void {
  if (typeof value !== 'number') throw new TypeError(`Cannot set limit "${name}": expected a number, got ${typeof value}`)
  const least = LEAST[name] ?? 1
  const most = MOST[name] ?? Number.MAX_SAFE_INTEGER
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new RangeError(`Cannot set limit "${name}" to ${value}: expected a whole number from ${least} to ${most}`)
}
