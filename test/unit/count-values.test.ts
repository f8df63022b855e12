// @module-tag runtime
import { expect, test } from 'vitest'
import { costsOf, hasMoreValues } from '../../src/core/count-values.js'

test.each([
  ['fields and items, at every depth', { a: 1, b: [2, { c: 3 }] }, 5],
  ['the claimed length of a list', Object.assign([], { length: 9 }), 9],
  ['a repeated object only once', ((same) => [same, same])({ a: 1, b: 2 }), 4],
  ['bytes as nothing', new Uint8Array(1000), 0],
])('counts %s', (_, input, count) => {
  expect([hasMoreValues(input, count), count > 0 && hasMoreValues(input, count - 1)]).toEqual([false, count > 0])
})

test('counting a cyclic input ends', () => {
  const own: unknown[] = [1]
  own.push(own)
  expect(hasMoreValues(own, 2)).toBe(false)
})

test('costsOf counts pairs of items and fields', () => {
  expect(costsOf({ a: [1, 2, 3], b: { c: [{ d: 1 }] } })).toEqual({ pairs: 10, fields: 4 })
})
