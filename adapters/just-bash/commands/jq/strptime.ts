import { brokenDown, daysFrom, type Tm, yearDay } from './clock.js'

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const SAME: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
}
/** For each directive: maximum number of digits, minimum value, and maximum value. */
const NUMBERS: Readonly<Record<string, readonly [number, number, number]>> = {
  C: [2, 0, 99],
  d: [2, 1, 31],
  e: [2, 1, 31],
  H: [2, 0, 23],
  k: [2, 0, 23],
  I: [2, 1, 12],
  l: [2, 1, 12],
  j: [3, 1, 366],
  m: [2, 1, 12],
  M: [2, 0, 59],
  S: [2, 0, 61],
  U: [2, 0, 53],
  W: [2, 0, 53],
  V: [2, 0, 53],
  w: [1, 0, 6],
  u: [1, 1, 7],
  y: [2, 0, 99],
  g: [2, 0, 99],
  Y: [4, 0, 9999],
  G: [4, 0, 9999],
}

export interface ReadTime {
  readonly tm: Tm
  /** UTC offset in seconds, or undefined if the text has none. */
  readonly offset: number | undefined
  /** Offset of the rest of the text. */
  readonly end: number
}

/**
 * Parses a date like `strptime` of the GNU C library. Fields that the format lacks keep the values of `start`. Returns undefined without a
 * match.
 */
export function readTime(text: string, format: string, start: Tm): ReadTime | undefined {
  const tm = { ...start }
  const seen: Record<string, number> = {}
  let at = 0
  let offset: number | undefined

  const spaces = (): void => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  const named = (names: readonly string[]): number | undefined => {
    const rest = text.slice(at).toLowerCase()
    for (const [i, name] of names.entries())
      for (const form of [name, name.slice(0, 3)])
        if (rest.startsWith(form)) {
          at += form.length
          return i
        }
    return undefined
  }
  const number = (letter: string, [digits, least, most]: readonly [number, number, number]): boolean => {
    spaces()
    const found = new RegExp(`^\\d{1,${digits}}`).exec(text.slice(at, at + digits))?.[0]
    if (found === undefined || Number(found) < least || Number(found) > most) return false
    at += found.length
    seen[letter === 'e' ? 'd' : letter === 'k' ? 'H' : letter === 'l' ? 'I' : letter] = Number(found)
    return true
  }
  const zone = (): boolean => {
    spaces()
    const found = /^(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)/.exec(text.slice(at))
    if (!found) return false
    at += found[0].length
    offset = found[1] ? (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 3600 + Number(found[3] ?? 0) * 60) : 0
    return true
  }
  const seconds = (): boolean => {
    const found = /^-?\d+/.exec(text.slice(at))
    if (!found) return false
    at += found[0].length
    Object.assign(tm, brokenDown(Number(found[0])))
    return true
  }
  const take = (letter: string): boolean => {
    const same = SAME[letter]
    if (same !== undefined) return all(same)
    const range = NUMBERS[letter]
    if (range) return number(letter, range)
    switch (letter) {
      case 'a':
      case 'A':
        return keep('w', named(DAYS))
      case 'b':
      case 'B':
      case 'h':
        return keep('b', named(MONTHS))
      case 'p':
      case 'P':
        return keep('p', named(['am', 'pm']))
      case 's':
        return seconds()
      case 'z':
        return zone()
      case 'Z':
        // Like GNU, skips a word for `%Z` and ignores it.
        at += /^[^\s]*/.exec(text.slice(at))?.[0].length ?? 0
        return true
      case 'n':
      case 't':
        spaces()
        return true
      case '%':
        return text[at++] === '%'
      default:
        return false
    }
  }
  const keep = (letter: string, value: number | undefined): boolean => {
    if (value !== undefined) seen[letter] = value
    return value !== undefined
  }
  const all = (given: string): boolean => {
    for (let i = 0; i < given.length; i++) {
      const char = given[i] as string
      if (/\s/.test(char)) spaces()
      else if (char !== '%') {
        if (text[at++] !== char) return false
      } else {
        i += /^[-_0^#EO]*/.exec(given.slice(i + 1))?.[0].length ?? 0
        if (!take(given[++i] ?? '')) return false
      }
    }
    return true
  }
  if (!all(format)) return undefined
  settle(tm, seen)
  return { tm, offset, end: at }
}

/** Sets the parsed fields. If any part of a date was parsed, also computes the weekday and the day of the year. */
function settle(tm: Tm, seen: Readonly<Record<string, number>>): void {
  const { b, m, d, H, I, M, S, p, y, C, Y, j, w, u, U, W } = seen
  const [month, weekday, week] = [m === undefined ? b : m - 1, w ?? (u === undefined ? undefined : u % 7), U ?? W]
  if (S !== undefined) tm.second = S
  if (M !== undefined) tm.minute = M
  if (H !== undefined) tm.hour = H
  if (I !== undefined) tm.hour = (I % 12) + (p === 1 ? 12 : 0)
  if (Y !== undefined) tm.year = Y - 1900
  else if (C !== undefined) tm.year = C * 100 + (y ?? 0) - 1900
  else if (y !== undefined) tm.year = y < 69 ? y + 100 : y
  if (month !== undefined) tm.month = month
  if (d !== undefined) tm.day = d
  if (weekday !== undefined) tm.weekday = weekday
  if (j !== undefined) tm.yearday = j - 1
  const year = tm.year + 1900
  const dayFromYearDay = (): void => {
    let found = 11
    while (yearDay(year, found, 1) > tm.yearday) found--
    if (month === undefined) tm.month = found
    if (d === undefined) tm.day = tm.yearday - yearDay(year, found, 1) + 1
  }
  if ((month ?? d ?? Y ?? y ?? C) !== undefined) {
    if (weekday === undefined) {
      if (j !== undefined && (month === undefined || d === undefined)) dayFromYearDay()
      tm.weekday = weekdayOf(year, tm.month, tm.day)
    }
    if (j === undefined) tm.yearday = yearDay(year, tm.month, tm.day)
  }
  if (week === undefined || weekday === undefined) return
  const first = U === undefined ? 1 : 0
  if (j === undefined) tm.yearday = ((7 - (weekdayOf(year, 0, 1) - first)) % 7) + (week - 1) * 7 + ((weekday - first + 7) % 7)
  if (month === undefined || d === undefined) dayFromYearDay()
}

const weekdayOf = (year: number, month: number, day: number): number => (((daysFrom(year, month, day) + 4) % 7) + 7) % 7
