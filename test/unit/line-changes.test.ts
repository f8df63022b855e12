// @module-tag edit-file
import { diffArrays } from 'diff'
import { expect, test } from 'vitest'
import { type Change, lineChanges } from '../../src/ops/line-changes.js'
import fc from '../fast-check.js'

const apply = (before: readonly string[], after: readonly string[], changes: readonly Change[]): string[] => {
  const out: string[] = []
  let at = 0
  for (const { oldFrom, oldTo, newFrom, newTo } of changes) {
    out.push(...before.slice(at, oldFrom), ...after.slice(newFrom, newTo))
    at = oldTo
  }
  return [...out, ...before.slice(at)]
}
const size = (changes: readonly Change[]): number =>
  changes.reduce((sum, change) => sum + change.oldTo - change.oldFrom + change.newTo - change.newFrom, 0)

const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 })

test('lineChanges gives as few changed lines as another implementation', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const changes = lineChanges(before, after, 100) ?? []
      expect(apply(before, after, changes)).toEqual(after)
      const reference = diffArrays(before, after).reduce((sum, part) => sum + (part.added || part.removed ? part.count : 0), 0)
      expect(size(changes)).toBe(reference)
    }),
  )
})

test('lineChanges returns ordered, separate changes, and none for equal lists', () => {
  expect(lineChanges([], [], 10)).toEqual([])
  expect(lineChanges(['a'], ['a'], 10)).toEqual([])
  expect(lineChanges(['a', 'x', 'b', 'y'], ['a', 'X', 'b', 'Y', 'Z'], 10)).toEqual([
    { oldFrom: 1, oldTo: 2, newFrom: 1, newTo: 2 },
    { oldFrom: 3, oldTo: 4, newFrom: 3, newTo: 5 },
  ])
  expect(lineChanges([], ['a'], 10)).toEqual([{ oldFrom: 0, oldTo: 0, newFrom: 0, newTo: 1 }])
})

test('lineChanges gives up if too much differs', () => {
  const numbers = (count: number, mark: string): string[] => Array.from({ length: count }, (_, i) => `${mark}${i}`)
  expect(lineChanges(numbers(20, 'a'), numbers(20, 'b'), 39)).toBeUndefined()
  expect(lineChanges(numbers(20, 'a'), numbers(20, 'b'), 40)).toHaveLength(1)
  expect(lineChanges(numbers(50_000, 'a'), numbers(50_000, 'b'), 300)).toBeUndefined()
})
