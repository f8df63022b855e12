import { parseDuration } from '../src/index.ts'
import { equal, test, throws } from './suite.ts'

const HOUR = 3_600_000

test('reads days and a time', () => equal(parseDuration('P1DT12H'), 36 * HOUR))
test('reads a part of a second', () => equal(parseDuration('PT0.25S'), 250))
test('reads weeks', () => equal(parseDuration('P2W'), 336 * HOUR))
test('reads one below zero', () => equal(parseDuration('-PT1H'), -HOUR))
for (const text of ['P', 'PT', 'P1H', 'PT1D', 'PT1M1H', 'P1Y']) {
  test(`refuses "${text}"`, () => throws(() => parseDuration(text), 'ISO 8601'))
}
