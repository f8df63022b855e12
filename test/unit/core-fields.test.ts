// @module-tag runtime
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { byDefault, either, list, object, oneOf, optional, record, text, whole, yes } from '../../src/core/fields.js'
import { everySchema } from '../../src/core/registry.js'
import { createValidator, type Validation } from '../../src/core/schema.js'
import fc, { rounds } from '../fast-check.js'

const fields = object(
  {
    name: text('A name.'),
    short: optional(
      text('Short.', { pattern: '^[b-z]*$' }, [
        (value) => (value.includes('a') ? { message: 'holds an "a"' } : undefined),
        (value) => (/^[b-z]*$/.test(value) ? undefined : { code: 'invalid_format', format: 'regex', pattern: '/^[b-z]*$/' }),
      ]),
    ),
    line: optional(whole('A line.')),
    limit: byDefault(whole('At the most.', { min: 1, max: 10 }), 5),
    deep: byDefault(yes('All of it.'), true),
    mode: byDefault(oneOf(['one', 'two'], 'How.'), 'one'),
    paths: optional(either(text(), list(text(), { min: 1, max: 3 }), 'Which.')),
    args: byDefault(list(text(), { max: 3, description: 'Its arguments.' }), []),
    edits: list(object({ old: text(), again: optional(yes()) }), { min: 1 }),
    env: optional(record(text(), whole(undefined, { min: 0 }), 'Numbers.')),
    size: optional(object({ rows: byDefault(whole('Rows.', { min: 2, max: 4 }), 3) }, 'Its size.')),
  },
  'All.',
)

const zod = z
  .strictObject({
    name: z.string().check(z.describe('A name.')),
    short: z.optional(
      z.string().check(
        z.refine((value: string) => !value.includes('a'), 'holds an "a"'),
        z.regex(/^[b-z]*$/),
        z.describe('Short.'),
      ),
    ),
    line: z.optional(z.int().check(z.describe('A line.'))),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(10), z.describe('At the most.')), 5),
    deep: z._default(z.boolean().check(z.describe('All of it.')), true),
    mode: z._default(z.enum(['one', 'two']).check(z.describe('How.')), 'one'),
    paths: z.optional(z.union([z.string(), z.array(z.string()).check(z.minLength(1), z.maxLength(3))]).check(z.describe('Which.'))),
    args: z._default(z.array(z.string()).check(z.maxLength(3), z.describe('Its arguments.')), []),
    edits: z.array(z.strictObject({ old: z.string(), again: z.optional(z.boolean()) })).check(z.minLength(1)),
    env: z.optional(z.record(z.string(), z.int().check(z.minimum(0))).check(z.describe('Numbers.'))),
    size: z.optional(
      z
        .strictObject({ rows: z._default(z.int().check(z.minimum(2), z.maximum(4), z.describe('Rows.')), 3) })
        .check(z.describe('Its size.')),
    ),
  })
  .check(z.describe('All.'))

const own = createValidator(fields, {})
const others = createValidator(zod, everySchema)

test('fields have the same JSON Schema as zod, byte for byte', () => {
  expect(JSON.stringify(own.jsonSchema())).toBe(JSON.stringify(others.jsonSchema()))
})

const texts = fc.oneof(fc.constantFrom('', 'one', 'two', 'a', 'bb', '[1]', '\u{1f600}'), fc.string())
const numbers = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.double(), fc.constantFrom(2 ** 53, -(2 ** 53), 1e300, Number.NaN))
const { anything } = fc.letrec((tie) => ({
  anything: fc.oneof(
    { depthSize: 'small' },
    texts,
    numbers,
    fc.boolean(),
    fc.constantFrom(null, undefined, new Map([['name', 'a']])),
    fc.array(tie('anything'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('name', 'old', 'again', 'rows', 'toString', 'nam'), tie('anything'), { maxKeys: 3 }),
  ),
}))
const or = <T>(likely: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 20, arbitrary: likely as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: anything })
const small = fc.integer({ min: 2, max: 4 })
const likely = fc.record(
  {
    name: or(texts),
    short: or(fc.constantFrom('', 'b', 'bc')),
    line: or(fc.integer()),
    limit: or(small),
    deep: or(fc.boolean()),
    mode: or(fc.constantFrom('one', 'two')),
    paths: or(fc.oneof(texts, fc.array(or(texts), { maxLength: 4 }))),
    args: or(fc.array(or(texts), { maxLength: 4 })),
    edits: or(fc.array(or(fc.record({ old: or(texts), again: or(fc.boolean()) }, { requiredKeys: ['old'] })), { maxLength: 2 })),
    env: or(fc.dictionary(fc.constantFrom('A', 'b', '1', '__proto__'), or(small))),
    size: or(fc.record({ rows: or(small) }, { requiredKeys: [] })),
  },
  { requiredKeys: ['name', 'edits'] },
)
const inputs = fc.oneof(
  { weight: 5, arbitrary: likely },
  {
    weight: 1,
    arbitrary: fc.tuple(likely, or(fc.constant({ nam: 'a', limits: 1 }))).map(([input, more]) => ({ ...input, ...Object(more) })),
  },
)

/** Matches the additional issue for a string that is given instead of a list: zod checks the string's length too. */
const LENGTH_OF_NO_LIST = /^expected at (most|least) \d+ characters?, got/

function comparable(validation: Validation): Validation {
  if (validation.ok) return validation
  const noLists = validation.issues.filter(({ message }) => message.startsWith('expected array, got')).map(({ path }) => path)
  const issues = validation.issues.filter(({ path, message }) => !noLists.includes(path) || !LENGTH_OF_NO_LIST.test(message))
  return { ...validation, issues }
}

test('fields accept, default and reject like zod, with the same messages', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(or(inputs), async (input) => {
      const found = await own.validate(input)
      if (found.ok) accepted++
      expect(found).toEqual(comparable(await others.validate(input)))
    }),
    { numRuns: rounds(5000) },
  )
  expect(accepted).toBeGreaterThan(0)
})

test('a text in place of a list is reported by its type only', async () => {
  expect(await own.validate({ name: 'a', edits: '', args: 'four' })).toEqual({
    ok: false,
    issues: [
      { path: 'args', message: 'expected array, got string' },
      { path: 'edits', message: 'expected array, got string' },
    ],
  })
})

test('a text that is too long is not checked further', async () => {
  const never = (): never => {
    throw new Error('checked')
  }
  const short = object({ a: text(undefined, {}, [() => ({ code: 'too_big', origin: 'string', maximum: 1 }), never]) })
  expect(await createValidator(short, {}).validate({ a: 'bc' })).toEqual({
    ok: false,
    issues: [{ path: 'a', message: 'expected at most 1 character, got 2' }],
  })
})

test('two calls do not share a default object', async () => {
  const first = await own.validate({ name: 'a', edits: [{ old: '' }] })
  if (first.ok) (first.value as { args: string[] }).args.push('left behind')
  expect(await own.validate({ name: 'a', edits: [{ old: '' }] })).toMatchObject({ ok: true, value: { args: [] } })
})
