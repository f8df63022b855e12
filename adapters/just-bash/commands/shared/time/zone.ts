import { posixZone, type Zone } from './posix-zone.js'

export const UTC: Zone = { nameAt: () => 'UTC', offsetAt: () => 0 }

/** Returns the zone of `TZ`, or UTC if `TZ` is missing or unknown. */
export const zoneOf = (env: ReadonlyMap<string, string>): Zone => zoneNamed(env.get('TZ') ?? '')

export function zoneNamed(text: string): Zone {
  const name = text.replace(/^:/, '')
  if (name === '' || /^(?:UTC|GMT|UCT|Zulu|Etc\/UTC)(?:0)?$/i.test(name)) return UTC
  return namedZone(name) ?? posixZone(name) ?? UTC
}

function namedZone(zone: string): Zone | undefined {
  // For a sign in a zone name, POSIX and the runtime have opposite meanings.
  if (/^[^/]*[-+]\d/.test(zone)) return undefined
  let clock: Intl.DateTimeFormat
  try {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
  const offsetAt = (ms: number): number => offsetOf(clock, ms)
  // A name such as `EST5EDT` contains its abbreviations.
  const posix = posixZone(zone)
  const spelled = (ms: number): string | undefined => (posix?.offsetAt(ms) === offsetAt(ms) ? posix.nameAt(ms) : undefined)
  const nameAt = (ms: number): string => letters(zone, ms) ?? LETTERS[zone]?.[offsetAt(ms)] ?? spelled(ms) ?? digits(offsetAt(ms))
  return { nameAt, offsetAt }
}

/** Locales to ask for abbreviations. Each locale knows those of its own region. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA', 'en-HK']

/** Abbreviations that no locale provides, by minutes ahead of UTC. */
const LETTERS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'America/St_Johns': { [-210]: 'NST', [-150]: 'NDT' },
  'Asia/Jakarta': { 420: 'WIB' },
  'Asia/Jerusalem': { 120: 'IST', 180: 'IDT' },
  'Asia/Karachi': { 300: 'PKT' },
  'Asia/Manila': { 480: 'PST' },
  'Asia/Seoul': { 540: 'KST' },
  'Asia/Shanghai': { 480: 'CST' },
  'Asia/Taipei': { 480: 'CST' },
  'Asia/Tokyo': { 540: 'JST' },
  'Europe/Dublin': { 0: 'GMT', 60: 'IST' },
  'Europe/Moscow': { 180: 'MSK' },
  Japan: { 540: 'JST' },
  PRC: { 480: 'CST' },
}

function letters(zone: string, ms: number): string | undefined {
  for (const locale of LOCALES) {
    const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }).formatToParts(ms)
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value
    if (name && /^[A-Z]+$/.test(name)) return name
  }
  return undefined
}

/** Formats an offset like the time zone database: `+0530`, `-03`. */
function digits(minutes: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const ahead = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(ahead / 60)}${ahead % 60 === 0 ? '' : two(ahead % 60)}`
}

function offsetOf(clock: Intl.DateTimeFormat, ms: number): number {
  const second = Math.floor(ms / 1000) * 1000
  const parts = new Map(clock.formatToParts(second).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return (Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - second) / 60_000
}
