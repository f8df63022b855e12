import type { Zone } from './posix-zone.js'

/** A local date and time. Fields may be out of range. Months count from 0. */
export interface Civil {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly seconds: number
}

const DAY_MS = 86_400_000

/** Like `Date.UTC`, but also for the years before 100. */
export const utc = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month, day)

/**
 * Converts a local time to epoch milliseconds like `mktime`. If the local clock shows this time twice (daylight saving ends), the first
 * occurrence counts. If the clock skips this time, the offset of the day before applies.
 */
export function timeOf({ year, month, day, seconds }: Civil, zone: Zone): number {
  const local = utc(year, month, day) + seconds * 1000
  const [before, after] = [zone.offsetAt(local - DAY_MS), zone.offsetAt(local + DAY_MS)]
  const early = local - Math.max(before, after) * 60_000
  const late = local - Math.min(before, after) * 60_000
  return showsIn(zone, early, local) ? early : showsIn(zone, late, local) ? late : local - before * 60_000
}

export const showsIn = (zone: Zone, ms: number, local: number): boolean => ms + zone.offsetAt(ms) * 60_000 === local
