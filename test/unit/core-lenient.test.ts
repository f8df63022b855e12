// @module-tag runtime
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { repairInput } from '../../src/core/lenient.js'
import { everySchema } from '../../src/core/registry.js'
import { createValidator as validatorOf } from '../../src/core/schema.js'
import type { SchemaLike } from '../../src/types/tool.js'
import fc from '../fast-check.js'

const createValidator = (schema: SchemaLike) => validatorOf(schema, everySchema)

const schema = z.strictObject({
  path: z.string(),
  limit: z.optional(z.int()),
  ratio: z.optional(z.number()),
  all: z.optional(z.boolean()),
  nothing: z.optional(z.nullable(z.string())),
  edits: z.optional(z.array(z.strictObject({ old: z.string(), count: z.optional(z.number()) }))),
  meta: z.optional(z.object({ tag: z.string() })),
})
const json = createValidator(schema).jsonSchema()

const repaired: readonly (readonly [what: string, given: unknown, wanted: unknown])[] = [
  ['numbers as text', { path: 'a', limit: ' 5 ', ratio: '-1.5e2' }, { path: 'a', limit: 5, ratio: -150 }],
  ['text that is not a number', { path: 'a', limit: '5 lines', ratio: '' }, { path: 'a', limit: '5 lines', ratio: '' }],
  ['booleans as text', { path: 'a', all: 'True' }, { path: 'a', all: true }],
  ['text as number or boolean', { path: 5 }, { path: '5' }],
  ['JSON as text', { path: 'a', edits: '[{"old": 1}]', meta: '{"tag": "x"}' }, { path: 'a', edits: [{ old: '1' }], meta: { tag: 'x' } }],
  ['JSON of the wrong kind as text', { path: 'a', edits: '{"old": 1}', meta: '[1]' }, { path: 'a', edits: '{"old": 1}', meta: '[1]' }],
  ['null for an optional field', { path: 'a', limit: null, nothing: null }, { path: 'a', nothing: null }],
  ['null for a required field', { path: null }, { path: null }],
  ['unknown fields of closed objects', { path: 'a', pth: 1, edits: [{ old: 'a', x: 1 }] }, { path: 'a', edits: [{ old: 'a' }] }],
  ['unknown fields of open objects', { path: 'a', meta: { tag: 'x', more: 1 } }, { path: 'a', meta: { tag: 'x', more: 1 } }],
  ['the whole input as text', '{"path": "a"}', { path: 'a' }],
  ['nothing to repair', { path: 'a', limit: 1 }, { path: 'a', limit: 1 }],
]

for (const [what, given, wanted] of repaired) test(`lenient: ${what}`, () => expect(repairInput(given, json)).toEqual(wanted))

test('references are resolved, also recursive ones', () => {
  const tree = { type: 'object', properties: { size: { type: 'number' }, child: { $ref: '#' } }, additionalProperties: false }
  expect(repairInput({ size: '1', child: { size: '2', child: { x: 1 } } }, tree)).toEqual({ size: 1, child: { size: 2, child: {} } })
})

test('a field called __proto__ sets no prototype', () => {
  const open = { type: 'object', properties: {} }
  const result = repairInput(JSON.parse('{"__proto__": {"x": 1}}'), open)
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
})

test('property: valid input stays unchanged, and nothing throws cap:22', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.record({ path: fc.string(), limit: fc.integer(), all: fc.boolean() }), (anything, valid) => {
      repairInput(anything, json)
      expect(repairInput(valid, json)).toEqual(valid)
    }),
  )
})
