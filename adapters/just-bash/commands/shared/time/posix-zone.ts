/** A time zone. */
export interface Zone {
  /** Returns the abbreviation at a time, such as `CEST` in summer. For a zone without letters, returns an offset such as `-03`. */
  nameAt(ms: number): string
  /** Minutes that local time is ahead of UTC. */
  offsetAt(ms: number): number
}

const NAME = '(<[^>]+>|[A-Za-z]{3,})'
const TIME = '([-+]?\\d{1,3}(?::\\d\\d){0,2})'
const RULE = '(M\\d{1,2}\\.[1-5]\\.[0-6](?:/[-+]?\\d{1,3}(?::\\d\\d){0,2})?)'
const ZONE = new RegExp(`^${NAME}${TIME}(?:${NAME}${TIME}?(?:,${RULE},${RULE})?)?$`)
/** Rules that the C library assumes for a zone with daylight saving time but without rules. */
const [SUMMER_BEGINS, SUMMER_ENDS] = ['M3.2.0', 'M11.1.0']
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Parses `UTC-3`, `EST5EDT` or `CET-1CEST,M3.5.0,M10.5.0/3`. In POSIX, a positive offset is west of UTC. Undefined for other names. */
export function posixZone(text: string): Zone | undefined {
  const found = ZONE.exec(text)
  if (!found) return undefined
  const [, name = '', offset = '', summerName, summerOffset, begins = SUMMER_BEGINS, ends = SUMMER_ENDS] = found
  const standard = -minutesIn(offset)
  const summer = summerOffset === undefined ? standard + 60 : -minutesIn(summerOffset)
  const isSummer = (ms: number): boolean => {
    if (summerName === undefined) return false
    const year = new Date(ms + standard * MINUTE_MS).getUTCFullYear()
    const [from, to] = [changeOf(begins, year) - standard * MINUTE_MS, changeOf(ends, year) - summer * MINUTE_MS]
    return from < to ? ms >= from && ms < to : ms >= from || ms < to
  }
  return {
    nameAt: (ms) => plain(isSummer(ms) ? (summerName as string) : name),
    offsetAt: (ms) => (isSummer(ms) ? summer : standard),
  }
}

const plain = (name: string): string => name.replace(/[<>]/g, '')

function minutesIn(time: string): number {
  const [hours = 0, minutes = 0] = time.replace(/^[-+]/, '').split(':').map(Number)
  return (time.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** Returns the time of a rule in a year, in local time. `M3.5.0/2` is the last Sunday in March at two. */
function changeOf(rule: string, year: number): number {
  const [date = '', time = '2'] = rule.slice(1).split('/')
  const [month = 1, week = 1, weekday = 0] = date.split('.').map(Number)
  const first = new Date(Date.UTC(year, month - 1, 1))
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  let day = 1 + ((weekday - first.getUTCDay() + 7) % 7) + (week - 1) * 7
  if (day > days) day -= 7
  return first.getTime() + (day - 1) * DAY_MS + minutesIn(time) * MINUTE_MS
}
