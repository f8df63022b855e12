/** What a clock shows somewhere. */
export interface Zone {
  readonly name: string
  /** At a time: `CEST` in summer, where the runtime has letters for it. */
  nameAt(ms: number): string
  /** Minutes that it is ahead of UTC at a time. */
  offsetAt(ms: number): number
}

export const UTC: Zone = { name: 'UTC', nameAt: () => 'UTC', offsetAt: () => 0 }

/** The zone of `TZ`; UTC where it has none, or one that is not known. */
export function zoneOf(env: ReadonlyMap<string, string>): Zone {
  const name = (env.get('TZ') ?? '').replace(/^:/, '')
  if (name === '' || /^(?:UTC|GMT|UCT|Zulu|Etc\/UTC)(?:0)?$/i.test(name)) return UTC
  try {
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    return { name: shortName(name, 0), nameAt: (ms) => shortName(name, ms), offsetAt: (ms) => offsetOf(clock, ms) }
  } catch {
    return fixedZone(name)
  }
}

/** `EST5`, `<+03>-3`, `IST-5:30`: hours behind UTC. */
function fixedZone(text: string): Zone {
  const found = /^(?:([A-Za-z]{3,})|<([-+\w]{3,})>)([-+]?)(\d{1,2})(?::(\d\d))?$/.exec(text)
  if (!found) return UTC
  const [, letters, quoted, sign, hours = '0', minutes = '0'] = found
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? 1 : -1)
  const name = (letters ?? quoted) as string
  return { name, nameAt: () => name, offsetAt: () => offset }
}

/** Zones whose letters are not the first ones of their English names. */
const LETTERS: Readonly<Record<string, string>> = {
  'Moscow Standard Time': 'MSK',
  'Hong Kong Standard Time': 'HKT',
  'Pakistan Standard Time': 'PKT',
  'Western Indonesia Time': 'WIB',
}
/** Those whose letters are. All others have numbers. */
const BY_INITIALS =
  /^(?:(?:Central|Eastern|Western) European|Greenwich Mean|British|Irish|Japan|India|China|Korean|Australian|New Zealand|(?:South|West|East|Central) Africa|Israel|Philippine|Cuba) /

/** As the time zone database has it: `EST`, `CEST`, `-03`. */
function shortName(zone: string, ms: number): string {
  const named = (timeZoneName: 'short' | 'long'): string => {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName }).formatToParts(ms)
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
  }
  const [short, long] = [named('short'), named('long')]
  if (/^[A-Z]{3,5}$/.test(short)) return short
  if (Object.hasOwn(LETTERS, long)) return LETTERS[long] as string
  if (BY_INITIALS.test(long)) return long.replace(/(European) Standard/, '$1').replace(/(\w)\w* ?/g, '$1')
  const [, sign, hours = '0', minutes = ''] = /^GMT([-+])(\d+)(?::(\d+))?$/.exec(short) ?? []
  return sign === undefined ? short : `${sign}${hours.padStart(2, '0')}${minutes}`
}

function offsetOf(clock: Intl.DateTimeFormat, ms: number): number {
  const second = Math.floor(ms / 1000) * 1000
  const parts = new Map(clock.formatToParts(second).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return (Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - second) / 60_000
}
