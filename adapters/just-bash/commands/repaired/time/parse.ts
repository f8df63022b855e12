import { DAYS, MONTHS } from './format.js'
import type { Zone } from './posix-zone.js'

const UNITS = { sec: 1000, second: 1000, min: 60_000, minute: 60_000, hour: 3_600_000 } as const
const NUMBERS: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1, first: 1, third: 3, fourth: 4, fifth: 5, sixth: 6 }
const ZONES: Readonly<Record<string, number>> = {
  utc: 0,
  gmt: 0,
  z: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  cet: 60,
  cest: 120,
  bst: 60,
}

interface Moment {
  year: number
  month: number
  day: number
  ms: number
}

/**
 * A time as `date -d` reads it: dates in the common forms, times, zones, days of the week, and what is counted from them (`+2 days`,
 * `3 weeks ago`, `next friday`). Milliseconds; undefined for what is none.
 */
export function parseTime(text: string, now: number, zone: Zone): number | undefined {
  const epoch = /^\s*@(-?\d+(?:\.\d+)?)\s*$/.exec(text)
  if (epoch) return Math.floor(Number(epoch[1]) * 1000)
  return new Reader(text.trim().toLowerCase(), now, zone).read()
}

class Reader {
  #rest: string
  readonly #now: number
  readonly #zone: Zone
  readonly #moment: Moment
  #offset: number | undefined
  #timed = false
  #dated = false
  #weekday: { readonly day: number; readonly count: number } | undefined
  #shift = 0
  #months = 0
  #days = 0

  constructor(text: string, now: number, zone: Zone) {
    this.#rest = text
    this.#now = now
    this.#zone = zone
    const local = new Date(now + zone.offsetAt(now) * 60_000)
    this.#moment = { year: local.getUTCFullYear(), month: local.getUTCMonth(), day: local.getUTCDate(), ms: local.getTime() % 86_400_000 }
  }

  read(): number | undefined {
    while (this.#rest !== '') {
      const before = this.#rest
      if (!this.#item()) return undefined
      this.#rest = this.#rest.replace(/^[\s,]+/, '')
      if (this.#rest === before) return undefined
    }
    return this.#result()
  }

  #take(pattern: RegExp): readonly string[] | undefined {
    const found = pattern.exec(this.#rest)
    if (!found) return undefined
    this.#rest = this.#rest.slice(found[0].length)
    return Array.from(found, (group) => group ?? '')
  }

  #item(): boolean {
    return this.#date() || this.#time() || this.#word() || this.#relative() || this.#zoneName()
  }

  #date(): boolean {
    const iso = this.#take(/^(\d{4})-(\d{1,2})-(\d{1,2})(?:t(?=\d)|(?!\d))/)
    if (iso) return this.#set(Number(iso[1]), Number(iso[2]), Number(iso[3]))
    const slashed = this.#take(/^(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/)
    if (slashed) return this.#set(Number(slashed[1]), Number(slashed[2]), Number(slashed[3]))
    const american = this.#take(/^(\d{1,2})\/(\d{1,2})(?:\/(\d{2,4}))?(?!\d)/)
    if (american) return this.#set(american[3] ? century(american[3]) : this.#moment.year, Number(american[1]), Number(american[2]))
    const packed = this.#take(/^(\d{4})(\d{2})(\d{2})(?!\d)/)
    if (packed) return this.#set(Number(packed[1]), Number(packed[2]), Number(packed[3]))
    const dayFirst = this.#take(/^(\d{1,2})(?:st|nd|rd|th)?[\s-]+([a-z]{3,9})\.?(?:[\s,-]+(\d{4})(?!\d|:))?/)
    if (dayFirst) return this.#named(dayFirst[2] ?? '', Number(dayFirst[1]), dayFirst[3] ?? '', dayFirst[0] ?? '')
    const monthFirst = this.#take(/^([a-z]{3,9})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?(?!\d|:)(?:[\s,-]+(\d{4})(?!\d|:))?/)
    if (monthFirst) return this.#named(monthFirst[1] ?? '', Number(monthFirst[2]), monthFirst[3] ?? '', monthFirst[0] ?? '')
    // Behind the time, as `date` itself prints it.
    const year = this.#timed && this.#dated ? this.#take(/^(\d{4})(?!\d)/) : undefined
    if (year) this.#moment.year = Number(year[1])
    return year !== undefined
  }

  #named(name: string, day: number, year: string, taken: string): boolean {
    const month = MONTHS.findIndex(
      (each) => each.toLowerCase() === name || each.slice(0, 3).toLowerCase() === name || (name === 'sept' && each === 'September'),
    )
    if (month < 0) {
      this.#rest = taken + this.#rest
      return false
    }
    return this.#set(year === '' ? this.#moment.year : Number(year), month + 1, day)
  }

  #set(year: number, month: number, day: number): boolean {
    if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return false
    Object.assign(this.#moment, { year, month: month - 1, day })
    this.#dated = true
    if (!this.#timed) this.#moment.ms = 0
    return true
  }

  #time(): boolean {
    const found =
      this.#take(/^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:\s*([ap])\.?m\.?)?(?:\s*([+-]\d{2}):?(\d{2})?(?!\d))?(?![\d:])/) ??
      this.#take(/^(\d{1,2})()()()\s*([ap])\.?m\.?\b/)
    if (!found) return false
    const [, hours = '', minutes = '', seconds = '', fraction = '', half = '', zone = '', zoneMinutes = ''] = found
    const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
    if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 60) return false
    this.#moment.ms = hour * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Math.floor(Number(`0.${fraction || 0}`) * 1000)
    this.#timed = true
    if (zone !== '') this.#offset = Number(zone) * 60 + Math.sign(Number(`${zone[0]}1`)) * Number(zoneMinutes || 0)
    return true
  }

  #word(): boolean {
    const found = this.#take(/^(now|today|yesterday|tomorrow|midnight|noon)\b/)
    if (found) {
      const [, word] = found
      if (word === 'yesterday') this.#days--
      if (word === 'tomorrow') this.#days++
      if (word === 'midnight' || word === 'noon') {
        this.#moment.ms = word === 'noon' ? 43_200_000 : 0
        this.#timed = true
      }
      return true
    }
    const names = DAYS.map((day) => `${day.slice(0, 3)}(?:${day.slice(3)})?`)
      .join('|')
      .toLowerCase()
    const weekday = this.#take(new RegExp(`^(?:(last|this|next)\\s+)?(${names}|tues|wednes|thur|thurs)\\b\\.?`))
    if (!weekday) return false
    const day = DAYS.findIndex((each) => each.slice(0, 3).toLowerCase() === weekday[2]?.slice(0, 3))
    this.#weekday = { day, count: NUMBERS[weekday[1] || 'this'] ?? 0 }
    if (!this.#timed && !this.#dated) this.#moment.ms = 0
    return true
  }

  #relative(): boolean {
    const found = this.#take(
      /^(?:([+-]?\s*\d+)\s*|(last|this|next|first|third|fourth|fifth|sixth)\s+)?(years?|months?|fortnights?|weeks?|days?|hours?|minutes?|mins?|seconds?|secs?)\b(\s+ago\b)?/,
    )
    if (!found) return false
    const [, number = '', word = '', unit = '', ago = ''] = found
    const count = (number === '' ? (NUMBERS[word] ?? 1) : Number(number.replace(/\s/g, ''))) * (ago === '' ? 1 : -1)
    const name = unit.replace(/s$/, '')
    if (name === 'year') this.#months += 12 * count
    else if (name === 'month') this.#months += count
    else if (name === 'fortnight') this.#days += 14 * count
    else if (name === 'week') this.#days += 7 * count
    else if (name === 'day') this.#days += count
    else this.#shift += count * UNITS[name as keyof typeof UNITS]
    return true
  }

  #zoneName(): boolean {
    const offset = this.#take(/^([+-]\d{2}):?(\d{2})(?!\d)/)
    if (offset) {
      this.#offset = Number(offset[1]) * 60 + Math.sign(Number(`${offset[1]?.[0]}1`)) * Number(offset[2])
      return true
    }
    const found = this.#take(/^([a-z]{1,4})\b/)
    const minutes = found ? ZONES[found[1] as string] : undefined
    if (minutes === undefined) return false
    this.#offset = minutes
    return true
  }

  #result(): number {
    const { year, month, day, ms } = this.#moment
    let local = Date.UTC(year, month + this.#months, day + this.#days)
    // A date says it all.
    if (this.#weekday && !this.#dated) {
      const ahead = (this.#weekday.day - new Date(local).getUTCDay() + 7) % 7
      // `next` is the one behind today, `last` the one before it.
      local += (ahead + 7 * (this.#weekday.count - (this.#weekday.count > 0 && ahead !== 0 ? 1 : 0))) * 86_400_000
    }
    local += ms
    const offset = this.#offset ?? this.#zone.offsetAt(local - this.#zone.offsetAt(this.#now) * 60_000)
    return local - offset * 60_000 + this.#shift
  }
}

const century = (digits: string): number => (digits.length > 2 ? Number(digits) : Number(digits) + (Number(digits) < 69 ? 2000 : 1900))
