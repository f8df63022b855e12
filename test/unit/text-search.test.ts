// @module-tag grep
import { expect, test } from 'vitest'
import { createSearch, searchSteps } from '../../src/ops/text-search.js'
import fc from '../fast-check.js'

const searchAll = (text: string, pattern: string): number[] => {
  const search = createSearch(text, pattern)
  const found: number[] = []
  for (let at = search(0); at >= 0; at = search(at + 1)) found.push(at)
  return found
}

test('search finds what indexOf finds, in any order of calls', () => {
  const unit = fc.constantFrom('a', 'b')
  fc.assert(
    fc.property(fc.string({ unit }), fc.string({ unit, minLength: 1, maxLength: 4 }), fc.array(fc.nat(12)), (text, pattern, asked) => {
      const search = createSearch(text, pattern)
      for (const from of asked) expect(search(from)).toBe(text.indexOf(pattern, from))
    }),
  )
})

test('search finds long repetitive patterns', () => {
  const half = 'ab'.repeat(10_000)
  const pattern = `${half}c${half}`
  const text = `${'ab'.repeat(20_000)}c${'ab'.repeat(20_000)}c${half}`
  expect(searchAll(text, pattern)).toEqual([20_000, 60_001])
})

test('search takes linear time for a hostile pattern', () => {
  // The engine's own search would take hours, this one takes some tenths of a second.
  const run = 'a'.repeat(500_000)
  expect(createSearch('a'.repeat(2_500_000), `${run}b${run}`)(0)).toBe(-1)
})

test.each([
  ['a short pattern', 'b'],
  ['a repetitive pattern', `b${'a'.repeat(31)}`],
  ['a long pattern that is built to be slow', `b${'a'.repeat(100_000)}`],
])('search runs in steps, for %s', (_, pattern) => {
  const steps = searchSteps('a'.repeat(2_000_000), pattern)
  let count = 1
  while (!steps.next().done) count++
  expect(count).toBeGreaterThanOrEqual(8)
})

test('search finds more matches than it caches', () => {
  expect(searchAll('aab'.repeat(3000), 'a').length).toBe(6000)
  const text = `${'a'.repeat(20_000)}b`.repeat(60)
  expect(searchAll(text, 'a'.repeat(19_000)).length).toBe(60 * 1001)
})
