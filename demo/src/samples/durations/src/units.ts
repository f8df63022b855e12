export interface Unit {
  readonly short: string
  readonly long: string
  /** Letters that stand for it, in lower case. */
  readonly names: readonly string[]
  readonly milliseconds: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The largest first. Months and years are left out: they are not all equally long. */
export const units: readonly Unit[] = [
  { short: 'w', long: 'week', names: ['w', 'week', 'weeks'], milliseconds: 7 * DAY },
  { short: 'd', long: 'day', names: ['d', 'day', 'days'], milliseconds: DAY },
  { short: 'h', long: 'hour', names: ['h', 'hr', 'hrs', 'hour', 'hours'], milliseconds: HOUR },
  { short: 'm', long: 'minute', names: ['m', 'min', 'mins', 'minute', 'minutes'], milliseconds: MINUTE },
  { short: 's', long: 'second', names: ['s', 'sec', 'secs', 'second', 'seconds'], milliseconds: SECOND },
  { short: 'ms', long: 'millisecond', names: ['ms', 'millisecond', 'milliseconds'], milliseconds: 1 },
]

export const unitNamed = (name: string): Unit | undefined => units.find(({ names }) => names.includes(name.toLowerCase()))
