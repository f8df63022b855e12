// @module-tag runtime
import { expect, test } from 'vitest'
import { defaultLimits, withLimits } from '../../src/core/limits.js'

test('withLimits merges values with the defaults cap:46', () => {
  expect(withLimits()).toEqual(defaultLimits)
  expect(withLimits({ deadlineMs: 10, graceMs: undefined })).toEqual({ ...defaultLimits, deadlineMs: 10 })
  expect(defaultLimits).toMatchObject({
    deadlineMs: 120_000,
    graceMs: 250,
    outputBytes: 65_536,
    grepFileBytes: 8_388_608,
    shellStreamBytes: 262_144,
  })
})

test('limits are frozen', () => {
  expect(() => Object.assign(withLimits({ graceMs: 0 }), { deadlineMs: 1 })).toThrow(TypeError)
  expect(() => Object.assign(defaultLimits, { deadlineMs: 1 })).toThrow(TypeError)
})

test('invalid limits are rejected', () => {
  for (const deadlineMs of [0, -1, 1.5, Number.NaN, Infinity, 2 ** 31]) expect(() => withLimits({ deadlineMs })).toThrow(RangeError)
  expect(() => withLimits({ graceMs: -1 })).toThrow('Cannot set limit "graceMs" to -1: expected a whole number from 0 to 2147483647')
  expect(() => withLimits({ outputBytes: '5' as never })).toThrow('Cannot set limit "outputBytes": expected a number, got string')
  expect(() => withLimits({ outputBites: 5 } as never)).toThrow('Cannot set limit "outputBites": there is no such limit')
  expect(() => withLimits(JSON.parse('{"__proto__": 5}'))).toThrow(TypeError)
})
