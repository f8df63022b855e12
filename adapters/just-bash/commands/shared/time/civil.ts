import type { Zone } from './posix-zone.js'

/** What a clock and a calendar show; fields may be out of their range. Months count from 0. */
export interface Civil {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly seconds: number
}

const DAY_MS = 86_400_000

/** `Date.UTC`, also for the years before 100. */
export const utc = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month, day)

/** The time at which a clock in the zone shows this, as `mktime` finds it: the first of two, and what a skipped hour would have been. */
export function timeOf({ year, month, day, seconds }: Civil, zone: Zone): number {
  const local = utc(year, month, day) + seconds * 1000
  const [before, after] = [zone.offsetAt(local - DAY_MS), zone.offsetAt(local + DAY_MS)]
  const early = local - Math.max(before, after) * 60_000
  const late = local - Math.min(before, after) * 60_000
  return showsIn(zone, early, local) ? early : showsIn(zone, late, local) ? late : local - before * 60_000
}

export const showsIn = (zone: Zone, ms: number, local: number): boolean => ms + zone.offsetAt(ms) * 60_000 === local
