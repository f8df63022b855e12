import { showsIn, timeOf, utc } from './civil.js'
import type { Zone } from './posix-zone.js'
import { type Unit, type Word, wordOf } from './words.js'
import { zoneNamed } from './zone.js'

export interface Instant {
  readonly ms: number
  /** Number of nanoseconds within the second. */
  readonly nanos: number
}

interface NumberToken {
  /** `signed`: the number has a sign, possibly followed by blanks. */
  readonly kind: 'unsigned' | 'signed'
  readonly value: number
  readonly digits: number
  readonly negative: boolean
  /** The fraction in nanoseconds, or undefined if the number has no fraction. */
  readonly nanos?: number | undefined
}

type Token = Word | NumberToken | { readonly kind: 'local'; readonly name: string } | { readonly kind: ':' | ',' | '/' | '@' | '?' | 'end' }
type Kind = Token['kind']
type Of<K extends Kind> = Token & { readonly kind: K }

/** Parses a time like GNU `date -d`. Returns undefined for an invalid time. */
export function parseTime(text: string, now: number, zone: Zone): Instant | undefined {
  const named = /^\s*TZ="((?:[^"\\]|\\["\\])*)"/.exec(text)
  const rest = named ? text.slice(named[0].length) : text
  const at = named ? zoneNamed((named[1] as string).replace(/\\(.)/g, '$1')) : zone
  return new Reader(tokensOf(rest.trim() === '' ? '0' : rest.toLowerCase(), now, at), now, at).read()
}

function tokensOf(text: string, now: number, zone: Zone): Token[] {
  const names = new Set(halfYears(now).map((ms) => zone.nameAt(ms).toLowerCase()))
  const tokens: Token[] = []
  const pattern = /\s+|[+-](?!\s*\d)|(?:([+-])\s*)?(\d+)(?:[.,](\d+))?|([a-z][a-z.]*)|([\s\S])/g
  let depth = 0
  for (const [, sign = '', digits, fraction, word, char] of text.matchAll(pattern)) {
    if (char === '(') depth++
    else if (char === ')' && depth > 0) depth--
    else if (depth > 0) continue
    else if (digits !== undefined) tokens.push(numberToken(sign, digits, fraction))
    else if (word !== undefined) {
      const isUniversal = /^(?:gmt|utc?)$/.test(word)
      tokens.push(names.has(word) && !isUniversal ? { kind: 'local', name: word } : (wordOf(word) ?? { kind: '?' }))
    } else if (char !== undefined) tokens.push({ kind: ':,/@'.includes(char) ? (char as ':') : '?' })
  }
  return depth > 0 ? [{ kind: '?' }] : tokens
}

function numberToken(sign: string, digits: string, fraction: string | undefined): NumberToken {
  const negative = sign === '-'
  const nanos = fraction === undefined ? undefined : Number(fraction.slice(0, 9).padEnd(9, '0')) * (negative ? -1 : 1)
  return { kind: sign === '' ? 'unsigned' : 'signed', value: Number(digits) * (negative ? -1 : 1), digits: digits.length, negative, nanos }
}

const halfYears = (now: number): readonly number[] => [now, now + 182 * 86_400_000]

/**
 * A parser for the grammar of gnulib's parse-datetime. Looks ahead at the next tokens. Where the grammar is ambiguous, consumes the token
 * (a "shift").
 */
class Reader {
  readonly #tokens: readonly Token[]
  readonly #now: number
  readonly #zone: Zone
  #at = 0
  #date: { year: number; month: number; day: number; yearDigits: number }
  #time: { hour: number; minutes: number; seconds: number; nanos: number; pm?: boolean | undefined }
  #weekday: { readonly ordinal: number; readonly day: number } | undefined
  /** Minutes that local time is ahead of UTC, if the text has an offset. */
  #offset: number | undefined
  #local: string | undefined
  #isSummer = false
  readonly #moved: Record<Unit, number> = { months: 0, days: 0, seconds: 0 }
  #movedNanos = 0
  readonly #seen = { date: 0, time: 0, weekday: 0, zone: 0, dst: 0, moved: 0 }

  constructor(tokens: readonly Token[], now: number, zone: Zone) {
    this.#tokens = tokens
    this.#now = now
    this.#zone = zone
    const local = new Date(now + zone.offsetAt(now) * 60_000)
    this.#date = { year: local.getUTCFullYear(), month: local.getUTCMonth(), day: local.getUTCDate(), yearDigits: 0 }
    const [hour, minutes, seconds] = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()]
    this.#time = { hour, minutes, seconds, nanos: local.getUTCMilliseconds() * 1e6 }
  }

  read(): Instant | undefined {
    if (this.#take('@')) return this.#epoch()
    while (this.#at < this.#tokens.length) if (!this.#item()) return undefined
    const { date, time, weekday, zone, dst } = this.#seen
    return Math.max(date, time, weekday, zone, dst) > 1 ? undefined : this.#result()
  }

  #kind(ahead = 0): Kind {
    return this.#tokens[this.#at + ahead]?.kind ?? 'end'
  }

  #take<K extends Kind>(...kinds: readonly K[]): Of<K> | undefined {
    const token = this.#tokens[this.#at]
    if (!token || !(kinds as readonly Kind[]).includes(token.kind)) return undefined
    this.#at++
    return token as Of<K>
  }

  /** Takes a number without a fraction. */
  #whole<K extends 'signed' | 'unsigned'>(kind: K): NumberToken | undefined {
    return this.#isWhole(kind) ? this.#take(kind) : undefined
  }

  #isWhole(kind: 'signed' | 'unsigned', ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token?.kind === kind && token.nanos === undefined
  }

  #epoch(): Instant | undefined {
    const number = this.#take('signed', 'unsigned')
    if (!number || this.#at < this.#tokens.length) return undefined
    return instant(number.value, number.nanos ?? 0)
  }

  #item(): boolean {
    switch (this.#kind()) {
      case 'unsigned':
        return this.#number()
      case 'signed':
        return this.#relative()
      case 'month':
        return this.#monthFirst()
      case 'day': {
        this.#setWeekday(0, this.#take('day')?.value)
        this.#take(',')
        return true
      }
      case 'ordinal':
        if (this.#kind(1) !== 'day') return this.#relative()
        return this.#setWeekday(this.#take('ordinal')?.value ?? 0, this.#take('day')?.value)
      case 'unit':
        return this.#relative()
      case 'shift':
        return this.#move('days', this.#take('shift')?.value ?? 0)
      case 'local':
        this.#local = this.#take('local')?.name
        this.#seen.zone++
        return this.#summer()
      case 'T':
      case 'zone':
        return this.#zoned()
      default:
        return false
    }
  }

  #setWeekday(ordinal: number, day = 0): boolean {
    this.#weekday = { ordinal, day }
    this.#seen.weekday++
    return true
  }

  #summer(): boolean {
    if (this.#take('dst')) {
      this.#isSummer = true
      this.#seen.dst++
    }
    return true
  }

  #zoned(): boolean {
    const token = this.#take('zone', 'T')
    this.#offset = token?.kind === 'zone' ? token.value : -7 * 60
    this.#seen.zone++
    if (this.#isMove('signed')) return this.#relative(false)
    if (token?.kind === 'T') return true
    if (this.#take('dst')) this.#offset += 60
    else if (this.#isWhole('signed')) {
      const more = this.#hoursAndMinutes()
      if (more === undefined) return false
      this.#offset += more
    }
    return true
  }

  /** Parses an offset such as `+2`, `+0200` or `+02:00`. Returns minutes, or undefined if the offset is invalid. */
  #hoursAndMinutes(): number | undefined {
    const { value, digits, negative } = this.#whole('signed') as NumberToken
    let minutes: number
    if (this.#kind() === ':') {
      this.#at++
      const more = this.#whole('unsigned')
      if (!more) return undefined
      minutes = value * 60 + (negative ? -more.value : more.value)
    } else minutes = digits <= 2 ? value * 60 : Math.trunc(value / 100) * 60 + (value % 100)
    return Math.abs(minutes) <= 24 * 60 ? minutes : undefined
  }

  #isMove(kind: 'signed' | 'unsigned', ahead = 0): boolean {
    const unit = this.#tokens[this.#at + ahead + 1]
    if (this.#kind(ahead) !== kind || unit?.kind !== 'unit') return false
    return this.#isWhole(kind, ahead) || (unit.unit === 'seconds' && unit.value === 1)
  }

  /** @param turns whether `ago` may follow */
  #relative(turns = true): boolean {
    const count = this.#take('signed', 'unsigned', 'ordinal')
    const unit = this.#take('unit')
    if (!unit) return false
    const nanos = count && 'nanos' in count ? count.nanos : undefined
    if (nanos !== undefined && !(unit.unit === 'seconds' && unit.value === 1)) return false
    const way = (turns ? this.#take('ago')?.value : undefined) ?? 1
    this.#movedNanos += (nanos ?? 0) * way
    return this.#move(unit.unit, (count?.value ?? 1) * unit.value * way)
  }

  #move(unit: Unit, count: number): boolean {
    this.#moved[unit] += count
    this.#seen.moved++
    return true
  }

  #number(): boolean {
    if (this.#isMove('unsigned')) return this.#relative()
    if (!this.#isWhole('unsigned')) return false
    const first = this.#take('unsigned') as NumberToken
    switch (this.#kind()) {
      case 'day':
        return this.#setWeekday(first.value, this.#take('day')?.value)
      case 'meridian':
        return this.#setTime(first.value, 0, 0, 0, this.#take('meridian')?.pm)
      case ':':
        return this.#clock(first)
      case '/':
        return this.#slashes(first)
      case 'month':
        return this.#dayFirst(first)
      case 'signed':
        if (!this.#isWhole('signed')) return false
        if (this.#isWhole('signed', 1)) return this.#isoDate(first)
        if (!this.#isMove('signed')) return this.#setTime(first.value, 0, 0, 0) && this.#setOffset()
        this.#digits(first)
        return this.#relative(false)
      default:
        this.#digits(first)
        return true
    }
  }

  #setTime(hour: number, minutes: number, seconds: number, nanos: number, pm?: boolean): boolean {
    this.#time = { hour, minutes, seconds, nanos, pm }
    this.#seen.time++
    return true
  }

  #setDate(year: NumberToken | undefined, month: number, day: number): boolean {
    this.#date = {
      year: year ? yearOf(year) : this.#date.year,
      month,
      day,
      yearDigits: year?.digits ?? this.#date.yearDigits,
    }
    this.#seen.date++
    return true
  }

  #setOffset(): boolean {
    this.#offset = this.#hoursAndMinutes()
    this.#seen.zone++
    return this.#offset !== undefined
  }

  #clock({ value: hour }: NumberToken): boolean {
    this.#at++
    const minutes = this.#whole('unsigned')?.value
    if (minutes === undefined) return false
    let [seconds, nanos] = [0, 0]
    if (this.#take(':')) {
      const found = this.#take('unsigned')
      if (!found) return false
      ;[seconds, nanos] = [found.value, found.nanos ?? 0]
    }
    const meridian = this.#take('meridian')
    this.#setTime(hour, minutes, seconds, nanos, meridian?.pm)
    return meridian || !this.#isWhole('signed') ? true : this.#setOffset()
  }

  #slashes(first: NumberToken): boolean {
    this.#at++
    const second = this.#whole('unsigned')
    if (!second) return false
    if (!this.#take('/')) return this.#setDate(undefined, first.value - 1, second.value)
    const third = this.#whole('unsigned')
    if (!third) return false
    return first.digits >= 4 ? this.#setDate(first, second.value - 1, third.value) : this.#setDate(third, first.value - 1, second.value)
  }

  #dayFirst({ value: day }: NumberToken): boolean {
    const month = this.#take('month')?.value ?? 0
    const year = this.#whole('unsigned') ?? this.#whole('signed')
    return this.#setDate(year, month, day)
  }

  #monthFirst(): boolean {
    const month = this.#take('month')?.value ?? 0
    const day = this.#whole('unsigned')
    if (day) {
      if (!this.#take(',')) return this.#setDate(undefined, month, day.value)
      const year = this.#whole('unsigned')
      return year !== undefined && this.#setDate(year, month, day.value)
    }
    const [behind, year] = [this.#whole('signed'), this.#whole('signed')]
    return behind !== undefined && year !== undefined && this.#setDate(year, month, -behind.value)
  }

  #isoDate(year: NumberToken): boolean {
    const [month, day] = [this.#whole('signed'), this.#whole('signed')]
    if (!month || !day) return false
    this.#setDate(year, -month.value - 1, -day.value)
    if (!this.#take('T')) return true
    const hour = this.#whole('unsigned')
    if (!hour) return false
    if (this.#kind() === ':') return this.#clock(hour)
    return this.#isWhole('signed') && this.#setTime(hour.value, 0, 0, 0) && this.#setOffset()
  }

  /** Interprets bare digits depending on the fields known so far. */
  #digits(number: NumberToken): void {
    const { value, digits } = number
    if (this.#seen.date > 0 && this.#date.yearDigits === 0 && this.#seen.moved === 0 && (this.#seen.time > 0 || digits > 2)) {
      this.#date.year = yearOf(number)
      this.#date.yearDigits = digits
    } else if (digits > 4) {
      const year: NumberToken = { ...number, value: Math.floor(value / 10_000), digits: digits - 4 }
      this.#setDate(year, (Math.floor(value / 100) % 100) - 1, value % 100)
    } else this.#setTime(digits <= 2 ? value : Math.floor(value / 100), digits <= 2 ? 0 : value % 100, 0, 0)
  }

  #result(): Instant | undefined {
    const { date, time, weekday, moved } = this.#seen
    const keepsTime = time > 0 || (moved > 0 && date === 0 && weekday === 0)
    const { minutes, seconds, nanos } = keepsTime ? this.#time : { minutes: 0, seconds: 0, nanos: 0 }
    const hour = keepsTime ? this.#hour() : 0
    if (hour === undefined || minutes > 59 || seconds > 59) return undefined
    const { year, month, day } = this.#date
    const civil = { year, month, day, seconds: hour * 3600 + minutes * 60 + seconds }
    const zone = this.#offset === undefined ? this.#zone : { nameAt: () => '', offsetAt: () => this.#offset ?? 0 }
    const local = utc(year, month, day) + civil.seconds * 1000
    const start = this.#localStart(local) ?? timeOf(civil, zone)
    // Reject times that do not exist instead of normalising them: April 31, or an hour that the clock skips.
    const read = new Date(utc(year, month, day))
    if (read.getUTCMonth() !== month || read.getUTCDate() !== day || !showsIn(zone, start, local)) return undefined
    let days = this.#moved.days
    if (this.#weekday && date === 0) {
      const { ordinal, day: wanted } = this.#weekday
      const today = read.getUTCDay()
      days += (ordinal - (ordinal > 0 && today !== wanted ? 1 : 0)) * 7 + ((wanted - today + 7) % 7)
    }
    const unmoved = this.#moved.months === 0 && days === 0
    const ms = unmoved ? start : timeOf({ ...civil, month: month + this.#moved.months, day: day + days }, zone)
    return Number.isNaN(ms) ? undefined : instant(ms / 1000 + this.#moved.seconds, nanos + this.#movedNanos)
  }

  /**
   * Returns the epoch milliseconds of a local time if the text names the zone's own abbreviation, which tells whether daylight saving time
   * applies. Returns undefined otherwise.
   */
  #localStart(local: number): number | undefined {
    if (this.#local === undefined) return undefined
    const offsets = halfYears(this.#now).map((ms) => this.#zone.offsetAt(ms))
    const named = halfYears(this.#now).find((ms) => this.#zone.nameAt(ms).toLowerCase() === this.#local)
    const offset = this.#isSummer ? Math.max(...offsets) : this.#zone.offsetAt(named ?? this.#now)
    return local - offset * 60_000
  }

  #hour(): number | undefined {
    const { hour, pm } = this.#time
    if (pm === undefined) return hour < 24 ? hour : undefined
    return hour < 1 || hour > 12 ? undefined : (hour % 12) + (pm ? 12 : 0)
  }
}

function yearOf({ value, digits }: NumberToken): number {
  const year = Math.abs(value)
  return digits === 2 ? year + (year < 69 ? 2000 : 1900) : year
}

function instant(seconds: number, nanos: number): Instant {
  const whole = seconds + Math.floor(nanos / 1e9)
  const rest = ((nanos % 1e9) + 1e9) % 1e9
  return { ms: whole * 1000 + Math.floor(rest / 1e6), nanos: rest }
}
