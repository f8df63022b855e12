import { utc } from './civil.js'
import type { Zone } from './posix-zone.js'

const DAYS: readonly string[] = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const MONTHS: readonly string[] = 'January February March April May June July August September October November December'.split(' ')
const DAY_MS = 86_400_000

const DIRECTIVE = /%([-_0^#+]*)(\d*)(?:(:{1,3})(?=z)|([EO]))?([a-zA-Z%+])/g
/** Directives that reject the modifier `E` or `O`. For all other directives, the modifier has no effect. */
const NO_MODIFIER = { E: 'aAbBDdeFgGhHIjkKlmMNqSUVwWE', O: 'aAcDFxXYO' } as const

/** Formats a time like `date +FORMAT`. `nanos`: nanoseconds within the second. */
export function formatTime(ms: number, format: string, zone: Zone, nanos: number = (((ms % 1000) + 1000) % 1000) * 1e6): string {
  const offset = zone.offsetAt(ms)
  const local = new Date(ms + offset * 60_000)
  return format.replace(DIRECTIVE, (all, flags: string, width: string, colons = '', modifier: 'E' | 'O' | undefined, letter: string) => {
    if (modifier && NO_MODIFIER[modifier].includes(letter)) return all
    const fill = /[-_0+]/.exec(flags)?.[0]
    const field = fieldOf(letter, local, ms, { offset, zone, colons, nanos, fill, wanted: Number(width) })
    if (field === undefined) return all
    const { text, pad, width: own = 0 } = field
    if (letter === 'N') return width === '' ? text : text.slice(0, Number(width)).padEnd(Number(width), '0')
    const padded = fill === '-' ? text : text.padStart(Math.max(own, Number(width)), fill === '_' ? ' ' : fill === '0' ? '0' : pad)
    if (flags.includes('^')) return padded.toUpperCase()
    return flags.includes('#') ? (/[a-z]/.test(padded) ? padded.toUpperCase() : padded.toLowerCase()) : padded
  })
}

interface Field {
  readonly text: string
  readonly pad: '0' | ' '
  readonly width?: number
}

interface Around {
  readonly offset: number
  readonly zone: Zone
  readonly colons: string
  readonly nanos: number
  readonly fill: string | undefined
  /** The requested width, or 0 if no width was requested. */
  readonly wanted: number
}

const digits = (value: number, width = 2, pad: '0' | ' ' = '0'): Field => ({ text: String(value), pad, width })
const word = (text: string): Field => ({ text, pad: ' ' })

/** Formats a year. With the flag `+`, a year with more digits than usual gets a sign. */
function years(value: number, own: number, { fill, wanted }: Around): Field {
  const field = digits(value, own)
  if (fill !== '+' || (field.text.length <= own && wanted <= own)) return field
  return word(`+${field.text.padStart(Math.max(own, wanted - 1), '0')}`)
}

function fieldOf(letter: string, local: Date, ms: number, around: Around): Field | undefined {
  const nested = (format: string): Field => word(formatTime(ms, format, around.zone))
  const [year, month, day, weekday, hour] = [
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate(),
    local.getUTCDay(),
    local.getUTCHours(),
  ]
  const yearDay = Math.floor((utc(year, month, day) - utc(year, 0, 1)) / DAY_MS)
  switch (letter) {
    case '%':
      return word('%')
    case 'n':
      return word('\n')
    case 't':
      return word('\t')
    case 'Y':
      return years(year, 4, around)
    case 'C':
      return years(Math.floor(year / 100), 2, around)
    case 'y':
      return digits(year % 100)
    case 'm':
      return digits(month + 1)
    case 'd':
      return digits(day)
    case 'e':
      return digits(day, 2, ' ')
    case 'j':
      return digits(yearDay + 1, 3)
    case 'H':
      return digits(hour)
    case 'k':
      return digits(hour, 2, ' ')
    case 'I':
      return digits(hour % 12 || 12)
    case 'l':
      return digits(hour % 12 || 12, 2, ' ')
    case 'M':
      return digits(local.getUTCMinutes())
    case 'S':
      return digits(local.getUTCSeconds())
    case 'N':
      return word(String(around.nanos).padStart(9, '0'))
    case 's':
      return word(String(Math.floor(ms / 1000)))
    case 'a':
      return word((DAYS[weekday] as string).slice(0, 3))
    case 'A':
      return word(DAYS[weekday] as string)
    case 'b':
    case 'h':
      return word((MONTHS[month] as string).slice(0, 3))
    case 'B':
      return word(MONTHS[month] as string)
    case 'p':
      return word(hour < 12 ? 'AM' : 'PM')
    case 'P':
      return word(hour < 12 ? 'am' : 'pm')
    case 'u':
      return digits(weekday || 7, 1)
    case 'w':
      return digits(weekday, 1)
    case 'q':
      return digits(Math.floor(month / 3) + 1, 1)
    case 'U':
      return digits(Math.floor((yearDay + 7 - weekday) / 7))
    case 'W':
      return digits(Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7))
    case 'V':
      return digits(isoWeek(local).week)
    case 'G':
      return years(isoWeek(local).year, 4, around)
    case 'g':
      return digits(isoWeek(local).year % 100)
    case 'F':
      return nested(`%${around.fill ?? '+'}${Math.max(4, around.wanted - 6)}Y-%m-%d`)
    case 'T':
    case 'X':
      return nested('%H:%M:%S')
    case 'R':
      return nested('%H:%M')
    case 'r':
      return nested('%I:%M:%S %p')
    case 'D':
    case 'x':
      return nested('%m/%d/%y')
    case 'c':
      return nested('%a %b %e %H:%M:%S %Y')
    case 'z':
      return word(offsetText(around))
    case 'Z':
      return word(around.zone.nameAt(ms))
    default:
      return undefined
  }
}

function offsetText({ offset, colons, fill, wanted }: Around): string {
  const minutes = Math.abs(offset)
  const [hh, mm] = [String(Math.floor(minutes / 60)).padStart(2, '0'), String(Math.floor(minutes % 60)).padStart(2, '0')]
  const sign = offset < 0 ? '-' : '+'
  const text = { '': hh + mm, ':': `${hh}:${mm}`, '::': `${hh}:${mm}:00` }[colons] ?? (mm === '00' ? hh : `${hh}:${mm}`)
  const short = text.replace(/^0+(?=\d)/, '')
  if (fill === '-') return sign + short
  return fill === '_' ? (sign + short).padStart(Math.max(text.length + 1, wanted)) : sign + text.padStart(wanted - 1, '0')
}

function isoWeek(local: Date): { readonly week: number; readonly year: number } {
  const thursday = new Date(utc(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()))
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  return { year, week: Math.ceil(((thursday.getTime() - utc(year, 0, 1)) / DAY_MS + 1) / 7) }
}
