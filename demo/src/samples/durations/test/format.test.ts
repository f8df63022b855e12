import { formatDuration, parseDuration } from '../src/index.ts'
import { equal, test, throws } from './suite.ts'

const LONG = parseDuration('1d 2h 3m 4s 5ms')

test('prints short words', () => equal(formatDuration(LONG), '1d 2h 3m 4s 5ms'))
test('prints long words', () => equal(formatDuration(LONG, { style: 'long' }), '1 day 2 hours 3 minutes 4 seconds 5 milliseconds'))
test('prints ISO 8601', () => equal(formatDuration(LONG, { style: 'iso' }), 'P1DT2H3M4.005S'))
test('prints the first parts, rounded', () => equal(formatDuration(parseDuration('1h 59m 40s'), { parts: 2 }), '2h'))
test('rounds into a larger unit', () => equal(formatDuration(parseDuration('23h 59m'), { parts: 1 }), '1d'))
test('prints nothing as seconds', () => equal(formatDuration(0), '0s'))
test('prints nothing as ISO 8601', () => equal(formatDuration(0, { style: 'iso' }), 'PT0S'))
test('has no zero below zero', () => equal(formatDuration(-0.2), '0s'))
test('refuses what has no end', () => throws(() => formatDuration(Number.POSITIVE_INFINITY), 'no length of time'))

for (const text of ['1w 1d', '45m', '1h 30m', '-2h 1s', '1ms']) {
  for (const style of ['short', 'long', 'iso'] as const) {
    test(`reads what it prints: ${text}, ${style}`, () => {
      equal(formatDuration(parseDuration(formatDuration(parseDuration(text), { style }))), text)
    })
  }
}
