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
    return UTC
  }
}

function shortName(zone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' }).formatToParts(ms)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

function offsetOf(clock: Intl.DateTimeFormat, ms: number): number {
  const second = Math.floor(ms / 1000) * 1000
  const parts = new Map(clock.formatToParts(second).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return (Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - second) / 60_000
}
