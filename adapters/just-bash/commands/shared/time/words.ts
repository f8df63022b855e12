/** The meaning of a word in `date -d`. */
export type Word =
  | { readonly kind: 'meridian'; readonly pm: boolean }
  | { readonly kind: 'month' | 'day' | 'ordinal' | 'ago' | 'shift'; readonly value: number }
  | { readonly kind: 'unit'; readonly unit: Unit; readonly value: number }
  /** A time zone. `value`: minutes ahead of UTC. */
  | { readonly kind: 'zone'; readonly value: number }
  | { readonly kind: 'dst' | 'T' }

/** Units of relative times. Other units are converted: years to months, weeks to days, hours to seconds. */
export type Unit = 'months' | 'days' | 'seconds'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const SHORT: Readonly<Record<string, Word>> = {
  sept: { kind: 'month', value: 8 },
  tues: { kind: 'day', value: 2 },
  wednes: { kind: 'day', value: 3 },
  thur: { kind: 'day', value: 4 },
  thurs: { kind: 'day', value: 4 },
}
const UNITS: Readonly<Record<string, readonly [unit: Unit, value: number]>> = {
  year: ['months', 12],
  month: ['months', 1],
  fortnight: ['days', 14],
  week: ['days', 7],
  day: ['days', 1],
  hour: ['seconds', 3600],
  minute: ['seconds', 60],
  min: ['seconds', 60],
  second: ['seconds', 1],
  sec: ['seconds', 1],
}
/** `second` is missing, because it is always the unit. */
const ORDINALS = 'last this next  third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
const SHIFTS: Readonly<Record<string, number>> = { tomorrow: 1, yesterday: -1, today: 0, now: 0 }
/** Time zone names that gnulib knows, with their offsets from UTC in hours. */
const ZONES: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'gmt 0 ut 0 utc 0 wet 0 west 1 bst 1 art -3 brt -3 brst -2 nst -3.5 ndt -2.5 ast -4 adt -3 clt -4 clst -3 est -5 edt -4 cst -6 cdt -5 mst -7 ' +
    'mdt -6 pst -8 pdt -7 akst -9 akdt -8 hst -10 hast -10 hadt -9 sst -12 wat 1 cet 1 cest 2 met 1 mez 1 mest 2 mesz 2 eet 2 eest 3 cat 2 sast 2 ' +
    'eat 3 msk 3 msd 4 ist 5.5 sgt 8 kst 9 jst 9 gst 10 nzst 12 nzdt 13'
  )
    .match(/\w+ [-\d.]+/g)
    ?.map((pair) => [pair.split(' ')[0], Number(pair.split(' ')[1]) * 60]) ?? [],
)
const MILITARY = 'yxwvutsrqponzabcdefghiklm'

/** @param word in lower case; a month or a day may be abbreviated to three letters, with an optional period */
export function wordOf(word: string): Word | undefined {
  if (/^[ap](?:m|\.m\.)$/.test(word)) return { kind: 'meridian', pm: word.startsWith('p') }
  const short = /^[a-z]{3}\.?$/.test(word) ? word.slice(0, 3) : undefined
  const indexIn = (names: readonly string[]): number => names.findIndex((name) => name === word || name.slice(0, 3) === short)
  if (indexIn(MONTHS) >= 0) return { kind: 'month', value: indexIn(MONTHS) }
  if (indexIn(DAYS) >= 0) return { kind: 'day', value: indexIn(DAYS) }
  if (Object.hasOwn(SHORT, word)) return SHORT[word]
  if (Object.hasOwn(ZONES, word)) return { kind: 'zone', value: ZONES[word] as number }
  if (word === 'dst') return { kind: 'dst' }
  const unit = [word, word.replace(/s$/, '')].find((name) => Object.hasOwn(UNITS, name))
  if (unit !== undefined) return { kind: 'unit', unit: UNITS[unit]?.[0] as Unit, value: UNITS[unit]?.[1] as number }
  if (Object.hasOwn(SHIFTS, word)) return { kind: 'shift', value: SHIFTS[word] as number }
  if (word === 'first') return { kind: 'ordinal', value: 1 }
  if (word !== '' && ORDINALS.includes(word)) return { kind: 'ordinal', value: ORDINALS.indexOf(word) - 1 }
  if (word === 'ago' || word === 'hence') return { kind: 'ago', value: word === 'ago' ? -1 : 1 }
  if (word === 't') return { kind: 'T' }
  if (word.length === 1 && MILITARY.includes(word)) return { kind: 'zone', value: (MILITARY.indexOf(word) - 12) * 60 }
  const plain = word.replaceAll('.', '')
  return plain !== word && Object.hasOwn(ZONES, plain) ? { kind: 'zone', value: ZONES[plain] as number } : undefined
}
