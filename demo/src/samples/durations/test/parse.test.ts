import { parseDuration } from '../src/index.ts'
import { equal, test, throws } from './suite.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const GOOD: readonly (readonly [text: string, milliseconds: number])[] = [
  ['90s', 90_000],
  ['1h 30m', 90 * MINUTE],
  ['1h30m', 90 * MINUTE],
  ['1.5 hours', 90 * MINUTE],
  ['2 days, 3 hours and 5 minutes', 51 * HOUR + 5 * MINUTE],
  ['1w', 168 * HOUR],
  ['250ms', 250],
  ['-15 min', -15 * MINUTE],
  ['  3 HRS  ', 3 * HOUR],
  ['0s', 0],
]

for (const [text, milliseconds] of GOOD) test(`reads "${text}"`, () => equal(parseDuration(text), milliseconds))

const BAD: readonly (readonly [text: string, why: string])[] = [
  ['', 'nothing in it'],
  ['-', 'nothing in it'],
  ['90', '"90" is no number with a unit'],
  ['1h and', '"and" is no number with a unit'],
  ['3 fortnights', 'no unit "fortnights"'],
  ['30m 1h', '"h" stands behind "m"'],
  ['1h 2h', '"h" stands behind "h"'],
]

for (const [text, why] of BAD) test(`refuses "${text}"`, () => throws(() => parseDuration(text), why))
