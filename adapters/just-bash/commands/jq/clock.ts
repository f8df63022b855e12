import type { Zone } from '../shared/time/posix-zone.js'
import type { Memory } from './memory.js'

// Layout of the C library's 32-bit `struct tm`: nine integers, the UTC offset, and a pointer to the zone name.
const FIELDS = 9
const OFFSET_AT = 36
const NAME_AT = 40
const DAY = 86_400
const JANUARY = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
/** Maximum number of bytes of a zone name. */
const NAME_BYTES = 16

export interface Tm {
  second: number
  minute: number
  hour: number
  day: number
  month: number
  /** Number of years since 1900. */
  year: number
  weekday: number
  yearday: number
  /** 1 during daylight saving time, else 0. */
  dst: number
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

export const yearDay = (year: number, month: number, day: number): number =>
  (JANUARY[month] as number) + day - 1 + (month > 1 && isLeap(year) ? 1 : 0)

/** Days since 1970 in the proleptic Gregorian calendar, for any year. */
export function daysFrom(year: number, month: number, day: number): number {
  const months = year * 12 + month
  const y = Math.floor(months / 12)
  const before = y - 1
  const leaps = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  return before * 365 + leaps + yearDay(y, months - y * 12, 1) + day - 1 - 719_162
}

/** Converts a time to its fields in UTC. */
export function brokenDown(seconds: number): Tm {
  const days = Math.floor(seconds / DAY)
  const rest = seconds - days * DAY
  let year = 1970 + Math.floor(days / 365.2425)
  if (daysFrom(year + 1, 0, 1) <= days) year++
  if (daysFrom(year, 0, 1) > days) year--
  const yearday = days - daysFrom(year, 0, 1)
  let month = 11
  while (yearDay(year, month, 1) > yearday) month--
  return {
    second: rest % 60,
    minute: Math.floor(rest / 60) % 60,
    hour: Math.floor(rest / 3600),
    day: yearday - yearDay(year, month, 1) + 1,
    month,
    year: year - 1900,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearday,
    dst: 0,
  }
}

export const secondsOf = ({ year, month, day, hour, minute, second }: Tm): number =>
  daysFrom(year + 1900, month, day) * DAY + hour * 3600 + minute * 60 + second

export function readTm(memory: Memory, at: number): Tm {
  const { view } = memory
  const [second, minute, hour, day, month, year, weekday, yearday, dst] = Array.from({ length: FIELDS }, (_, i) =>
    view.getInt32(at + i * 4, true),
  ) as [number, number, number, number, number, number, number, number, number]
  return { second, minute, hour, day, month, year, weekday, yearday, dst }
}

interface Place {
  readonly offset: number
  /** Address of the zone name in memory. */
  readonly name: number
}

export function writeTm(memory: Memory, at: number, tm: Tm, place?: Place): void {
  const { second, minute, hour, day, month, year, weekday, yearday, dst } = tm
  const { view } = memory
  for (const [i, value] of [second, minute, hour, day, month, year, weekday, yearday, dst].entries()) view.setInt32(at + i * 4, value, true)
  if (!place) return
  view.setInt32(at + OFFSET_AT, place.offset, true)
  view.setUint32(at + NAME_AT, place.name, true)
}

export interface ClockCalls {
  gmtime(time: bigint, at: number): void
  localtime(time: bigint, at: number): void
  timegm(at: number): bigint
  mktime(at: number): bigint
  tzset(zoneAt: number, hasDstAt: number, standardAt: number, summerAt: number): void
}

/**
 * Creates the functions for dates that the program imports from the C library. @param utc returns the address of the name `UTC` in memory
 */
export function clockCalls(memory: () => Memory, zone: Zone, now: () => number, utc: () => number): ClockCalls {
  /** Addresses of the names of standard and daylight saving time, as passed to `tzset`. */
  let names: readonly [number, number] | undefined
  /** Returns the zone's UTC offset in seconds, or 0 beyond the range of JavaScript dates. */
  const aheadAt = (seconds: number): number => (Math.abs(seconds) > 8.64e12 ? 0 : zone.offsetAt(seconds * 1000) * 60)
  const offsets = (year: number): readonly number[] => seasons(year).map(aheadAt)
  const local = (seconds: number): Tm => {
    const ahead = aheadAt(seconds)
    const tm = brokenDown(seconds + ahead)
    return { ...tm, dst: ahead > Math.min(...offsets(tm.year + 1900)) ? 1 : 0 }
  }
  const writeUtc = (at: number, seconds: number): void => writeTm(memory(), at, brokenDown(seconds), { offset: 0, name: utc() })
  const writeLocal = (at: number, seconds: number): void => {
    const tm = local(seconds)
    writeTm(memory(), at, tm, { offset: aheadAt(seconds), name: names?.[tm.dst as 0 | 1] ?? utc() })
  }
  return {
    gmtime(time, at) {
      writeUtc(at, Number(time))
    },
    localtime(time, at) {
      writeLocal(at, Number(time))
    },
    timegm(at) {
      const seconds = secondsOf(readTm(memory(), at))
      writeUtc(at, seconds)
      return BigInt(seconds)
    },
    mktime(at) {
      const wall = secondsOf(readTm(memory(), at))
      const seconds = wall - aheadAt(wall - aheadAt(wall))
      writeLocal(at, seconds)
      return BigInt(seconds)
    },
    tzset(zoneAt, hasDstAt, standardAt, summerAt) {
      const times = seasons(brokenDown(Math.floor(now() / 1000)).year + 1900).toSorted((a, b) => aheadAt(a) - aheadAt(b))
      const [standard, summer] = times as [number, number]
      names = [standardAt, summerAt]
      const { view } = memory()
      view.setInt32(zoneAt, -aheadAt(standard), true)
      view.setInt32(hasDstAt, aheadAt(standard) === aheadAt(summer) ? 0 : 1, true)
      putName(memory(), standardAt, zone.nameAt(standard * 1000))
      putName(memory(), summerAt, zone.nameAt(summer * 1000))
    },
  }
}

/** Returns a time in January and one in July, which together cover both offsets of a zone with daylight saving time. */
const seasons = (year: number): number[] => [daysFrom(year, 0, 1) * DAY, daysFrom(year, 6, 1) * DAY]

const encoder = new TextEncoder()

function putName(memory: Memory, at: number, name: string): void {
  const bytes = new Uint8Array(NAME_BYTES + 1)
  bytes.set(encoder.encode(name).subarray(0, NAME_BYTES))
  memory.put(at, bytes)
}
