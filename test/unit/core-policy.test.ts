// @module-tag runtime
import { expect, test } from 'vitest'
import { createRateLimit, createToolRules } from '../../src/core/policy.js'
import fc from '../fast-check.js'

test('the first matching rule decides, and without one the tool is allowed', () => {
  const decide = createToolRules([
    { tools: 'bash_safe', action: 'allow' },
    { tools: ['bash*', 'run_js'], action: 'deny', reason: 'no code here' },
    { tools: '*_file', action: 'ask' },
    { tools: '*', action: 'allow' },
  ])
  expect(decide('bash_safe')).toEqual({ action: 'allow' })
  expect(decide('bash')).toEqual({ action: 'deny', rule: 'deny bash*, run_js', reason: 'no code here' })
  expect(decide('run_js')).toMatchObject({ action: 'deny' })
  expect(decide('run_js_module')).toEqual({ action: 'allow' })
  expect(decide('write_file')).toEqual({ action: 'ask', rule: 'ask *_file' })
  expect(createToolRules()('anything')).toEqual({ action: 'allow' })
})

test('rejects an invalid rule', () => {
  expect(() => createToolRules([{ tools: 'a', action: 'maybe' as never }])).toThrow('Cannot use a tool rule: "action" is "maybe"')
  expect(() => createToolRules([{ tools: [5 as never], action: 'deny' }])).toThrow(TypeError)
})

test('property: a star matches any characters, and every other character itself', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', '.', '_', '*'), { maxLength: 8 }).map((parts) => parts.join(''))
  const name = fc.array(fc.constantFrom('a', 'b', '.', '_'), { maxLength: 10 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(letters, name, (pattern, tool) => {
      const expected = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(tool)
      expect(createToolRules([{ tools: pattern, action: 'deny' }])(tool).action).toBe(expected ? 'deny' : 'allow')
    }),
  )
})

test('a hostile pattern is matched without backtracking', () => {
  const decide = createToolRules([{ tools: `${'*a'.repeat(2000)}b`, action: 'deny' }])
  expect(decide('a'.repeat(4000)).action).toBe('allow')
})

test('the rate limit is a sliding window', () => {
  let time = 1000
  const take = createRateLimit({ calls: 2, perMs: 100 }, () => time)
  expect([take(), take(), take()]).toEqual([0, 0, 100])
  time = 1060
  expect(take()).toBe(40)
  time = 1100
  expect([take(), take(), take()]).toEqual([0, 0, 100])
})

test('property: no window holds more calls than allowed, and no call is rejected without need', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 60 }), (calls, gaps) => {
      let time = 0
      const take = createRateLimit({ calls, perMs: 100 }, () => time)
      const taken: number[] = []
      for (const gap of gaps) {
        time += gap
        const recent = taken.filter((at) => at > time - 100).length
        const wait = take()
        expect(wait === 0).toBe(recent < calls)
        if (wait === 0) taken.push(time)
      }
    }),
  )
})

test('0 calls reject everything, no rate limits nothing, and invalid rates throw', () => {
  expect(createRateLimit({ calls: 0, perMs: 1 }, () => 0)()).toBe(Infinity)
  expect(createRateLimit(undefined, () => 0)()).toBe(0)
  for (const rate of [
    { calls: -1, perMs: 1 },
    { calls: 1.5, perMs: 1 },
    { calls: 1, perMs: 0 },
    { calls: 1, perMs: Number.NaN },
    { calls: 1, perMs: Infinity },
  ]) {
    expect(() => createRateLimit(rate, () => 0)).toThrow(RangeError)
  }
})

test('a clock that is set back does not block tools', () => {
  let time = 1_000_000
  const take = createRateLimit({ calls: 1, perMs: 100 }, () => time)
  take()
  time = 0
  expect(take()).toBe(0)
})
