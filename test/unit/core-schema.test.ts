// @module-tag runtime
import { describe, expect, test } from 'vitest'
import * as classic from 'zod'
import * as z from 'zod/mini'
import { createPlainCheck } from '../../src/core/plain-check.js'
import { everySchema } from '../../src/core/registry.js'
import { type Validation, createValidator as validatorOf } from '../../src/core/schema.js'
import type { SchemaLike } from '../../src/types/tool.js'
import fc from '../fast-check.js'

const createValidator = (schema: SchemaLike) => validatorOf(schema, everySchema)

const edits = z.strictObject({
  path: z.string(),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(10)), 5),
  mode: z.optional(z.enum(['slice', 'indentation'])),
  edits: z
    .array(z.strictObject({ old_string: z.string().check(z.minLength(1)), replace_all: z.optional(z.boolean()) }))
    .check(z.minLength(1)),
  paths: z.optional(z.union([z.string(), z.array(z.string())])),
  headers: z.optional(z.record(z.string(), z.string())),
  shape: z.optional(z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })])),
})

/** The same schema in plain JSON Schema. */
const plain = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 10 },
    mode: { enum: ['slice', 'indentation'] },
    edits: { type: 'array', minItems: 1, items: { $ref: '#/$defs/edit' } },
    paths: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['path', 'edits'],
  additionalProperties: false,
  $defs: {
    edit: {
      type: 'object',
      properties: { old_string: { type: 'string', minLength: 1 }, replace_all: { type: 'boolean' } },
      required: ['old_string'],
      additionalProperties: false,
    },
  },
} as const

async function issuesOf(schema: SchemaLike, input: unknown): Promise<string[]> {
  const result = await createValidator(schema).validate(input)
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`)
}

const wrong: readonly (readonly [what: string, input: unknown, issues: readonly string[]])[] = [
  ['nothing', undefined, ['path: is required', 'edits: is required']],
  ['an empty object', {}, ['path: is required', 'edits: is required']],
  ['a wrong type', { path: 1, edits: [{ old_string: 'a' }] }, ['path: expected string, got number']],
  ['null for a value', { path: null, edits: [{ old_string: 'a' }] }, ['path: expected string, got null']],
  ['an array for an object', { path: 'a', edits: [['a']] }, ['edits[0]: expected object, got array']],
  ['a fraction', { path: 'a', limit: 1.5, edits: [{ old_string: 'a' }] }, ['limit: expected integer, got 1.5']],
  ['a number that is too small', { path: 'a', limit: 0, edits: [{ old_string: 'a' }] }, ['limit: expected at least 1, got 0']],
  ['a number that is too large', { path: 'a', limit: 11, edits: [{ old_string: 'a' }] }, ['limit: expected at most 10, got 11']],
  ['no items', { path: 'a', edits: [] }, ['edits: expected at least 1 item, got 0']],
  ['empty text', { path: 'a', edits: [{ old_string: '' }] }, ['edits[0].old_string: expected at least 1 character, got 0']],
  ['a missing field of an item', { path: 'a', edits: [{ old_string: 'a' }, {}] }, ['edits[1].old_string: is required']],
  ['an unknown word', { path: 'a', mode: 'slce', edits: [{ old_string: 'a' }] }, ['mode: expected "slice" or "indentation", got "slce"']],
  [
    'JSON written as text',
    { path: 'a', edits: '[{"old_string":"a"}]' },
    ['edits: expected array, got a string of JSON: pass the value itself, not its text'],
  ],
  ['no branch of a union', { path: 'a', paths: 5, edits: [{ old_string: 'a' }] }, ['paths: expected string or array, got number']],
  [
    'one branch of a union, with mistakes',
    { path: 'a', paths: ['a', 1, 2], edits: [{ old_string: 'a' }] },
    ['paths[1]: expected string, got number', 'paths[2]: expected string, got number'],
  ],
  [
    'a field name that needs quotes',
    { path: 'a', headers: { 'a b': 1 }, edits: [{ old_string: 'a' }] },
    ['headers["a b"]: expected string, got number'],
  ],
  [
    'unknown fields, each on its own',
    { path: 'a', pth: 1, zzz: 2, edits: [{ old_string: 'a' }] },
    [
      'pth: is not a known field, did you mean "path"? use "path", "limit", "mode", "edits", "paths", "headers"',
      'zzz: is not a known field: use "path", "limit", "mode", "edits", "paths", "headers"',
    ],
  ],
  [
    'an unknown field of an item',
    { path: 'a', edits: [{ old_string: 'a', replaceAll: true }] },
    ['edits[0].replaceAll: is not a known field, did you mean "replace_all"? use "old_string", "replace_all"'],
  ],
  ['text as the input', 'abc', [': expected object, got string']],
  ['null as the input', null, [': expected object, got null']],
  ['an array as the input', [], [': expected object, got array']],
]

for (const [what, input, issues] of wrong) {
  test(`zod: ${what}`, async () => {
    expect((await issuesOf(edits, input)).map((issue) => issue.replace(', "shape"', ''))).toEqual(issues)
  })
  test(`plain JSON Schema: ${what}`, async () => {
    expect(await issuesOf(plain, input)).toEqual(issues)
  })
}

test('the error for a discriminated union names its kinds', async () => {
  expect(await issuesOf(edits, { path: 'a', edits: [{ old_string: 'a' }], shape: { kind: 'c' } })).toEqual([
    'shape.kind: expected "a" or "b", got "c"',
  ])
})

test('input that is JSON text is rejected with a hint, other text without', () => {
  const validator = createValidator(edits)
  expect(validator.validate('{"path":"a"}')).toMatchObject({ ok: false, hint: 'Pass the input as an object, not as a JSON string.' })
  expect(validator.validate('{path}')).not.toHaveProperty('hint')
})

test('zod returns its output with defaults and transforms', () => {
  expect(createValidator(edits).validate({ path: 'a', edits: [{ old_string: 'x' }] })).toEqual({
    ok: true,
    value: { path: 'a', limit: 5, edits: [{ old_string: 'x' }] },
  })
  const upper = classic.object({ name: classic.string().transform((text) => text.toUpperCase()) })
  expect(createValidator(upper).validate({ name: 'a' })).toEqual({ ok: true, value: { name: 'A' } })
})

test('plain JSON Schema returns a copy without undefined fields', async () => {
  const input = { path: 'a', mode: undefined, edits: [{ old_string: 'x' }] }
  const result = await createValidator(plain).validate(input)
  expect(result).toStrictEqual({ ok: true, value: { path: 'a', edits: [{ old_string: 'x' }] } })
  expect(createValidator(plain).validate(input), 'no promise once the library is loaded').not.toBeInstanceOf(Promise)
})

test('plain JSON Schema rejects values that are not JSON', async () => {
  const cycle: Record<string, unknown> = { path: 'a' }
  cycle.edits = cycle
  expect((await issuesOf(plain, cycle))[0]).toContain(': is not JSON')
  expect((await issuesOf(plain, { path: 1n }))[0]).toContain(': is not JSON')
})

test('zod classic gives the same messages in every locale', async () => {
  const schema = classic.strictObject({ path: classic.string(), count: classic.int().min(1) })
  expect(await issuesOf(schema, { path: 1, count: 0, pat: 1 })).toEqual([
    'path: expected string, got number',
    'count: expected at least 1, got 0',
    'pat: is not a known field, did you mean "path"? use "path", "count"',
  ])
})

test('a schema author’s own message is kept', async () => {
  const schema = z.object({
    path: z.string({ error: 'Name a file' }),
    even: z.number().check(z.refine((n) => n % 2 === 0, 'must be even')),
  })
  expect(await issuesOf(schema, { path: 1, even: 3 })).toEqual(['path: Name a file', 'even: must be even'])
})

test('an async schema is awaited', async () => {
  const schema = z.object({ path: z.string().check(z.refine(async (path) => path !== 'no', 'is taken')) })
  const validator = createValidator(schema)
  expect(await validator.validate({ path: 'no' })).toEqual({ ok: false, issues: [{ path: 'path', message: 'is taken' }] })
  expect(await validator.validate({ path: 'yes' })).toEqual({ ok: true, value: { path: 'yes' } })
})

test('any Standard Schema with JSON Schema is accepted', async () => {
  const schema: SchemaLike = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: (value) =>
        typeof (value as { a?: unknown }).a === 'string' ? { value } : { issues: [{ message: 'must be text', path: [{ key: 'a' }, 0] }] },
      jsonSchema: { input: () => ({ $schema: 'x', type: 'object', properties: { a: { type: 'string' } } }) },
    },
  }
  expect(await issuesOf(schema, { a: 1 })).toEqual(['a[0]: must be text'])
  expect(createValidator(schema).jsonSchema()).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
})

test('schemas without JSON Schema, or with a root that is not an object, are rejected', () => {
  const standard = { '~standard': { version: 1 as const, vendor: 'own', validate: (value: unknown) => ({ value }) } }
  const cyclic: Record<string, unknown> = { type: 'object' }
  cyclic.properties = cyclic
  for (const schema of [
    standard,
    z.string(),
    z.object({ when: z.date() }),
    { type: 'string' },
    {},
    { type: ['object', 'null'] },
    cyclic,
    undefined as never,
    null as never,
    5 as never,
  ]) {
    expect(() => createValidator(schema)).toThrow(expect.objectContaining({ name: 'RegistryError', code: 'unsupported_schema' }))
  }
})

test('the JSON Schema describes the input, is frozen, and is the same object for the same schema', () => {
  const json = createValidator(edits).jsonSchema()
  expect(json).not.toHaveProperty('$schema')
  expect(json.required).toEqual(['path', 'edits'])
  expect(createValidator(edits)).toBe(createValidator(edits))
  expect(() => Object.assign(json.properties as object, { more: 1 })).toThrow(TypeError)
})

test('plain JSON Schema finds duplicate items at any depth, also in long lists', async () => {
  const list = { type: 'array', uniqueItems: true }
  const schema = {
    type: 'object',
    properties: {
      a: list,
      rows: { type: 'array', items: { type: 'object', properties: { k: list } } },
      both: { allOf: [list] },
      either: { anyOf: [list, { type: 'string' }] },
      referred: { $ref: '#/$defs/list' },
    },
    $defs: { list },
  }
  const twice = [{ x: 1, y: [2] }, 'x', { y: [2], x: 1 }]
  const issue = (path: string): string => `${path}: expected unique items`
  expect(await issuesOf(schema, { a: twice, rows: [{}, { k: [1, 2, 1] }], both: [null, null] })).toEqual([
    issue('a'),
    issue('rows[1].k'),
    issue('both'),
  ])
  expect(await issuesOf(schema, { referred: twice })).not.toEqual([])
  expect(await issuesOf(schema, { either: twice })).not.toEqual([])
  expect(await issuesOf(schema, { a: [1, '1', [1], { 0: 1 }, true, null, {}, []], rows: 1, either: 'x' })).toHaveLength(1)
  const through = { type: 'object', properties: { a: list, b: { $ref: '#/properties/a' } } }
  expect(await issuesOf(through, { b: [1, 1] })).not.toEqual([])
  // Comparing all pairs would take 200 million comparisons.
  const many = Array.from({ length: 20_000 }, (_, i) => ({ same: 'a'.repeat(20), of: { id: i } }))
  expect(createPlainCheck({ type: 'object', properties: { a: list } })({ a: many })).toEqual([])
  // Inside a union, the check still compares all pairs.
  expect(await issuesOf(schema, { either: many.slice(0, 501) })).toEqual([
    ': has lists too long to check for duplicate items: send less in one call',
  ])
})

test('plain JSON Schema checks patternProperties only on a limited number of fields', async () => {
  const named = (patterns: number) => ({
    type: 'object',
    patternProperties: Object.fromEntries(Array.from({ length: patterns }, (_, i) => [`^f${i}x$`, { type: 'string' }])),
  })
  const input = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`f${i}x`, 1]))
  // With 4000 fields, this would take 4 million comparisons.
  expect(await issuesOf(named(1000), input)).toEqual([
    ': has too many fields to check against the patterns of its schema: send less in one call',
  ])
  expect(await issuesOf(named(200), input)).toContain('f0x: expected string, got number')
})

test('changing a plain schema later has no effect', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  const validator = createValidator(schema)
  schema.required.push('b')
  expect(await validator.validate({ a: 'x' })).toEqual({ ok: true, value: { a: 'x' } })
})

test('names of Object.prototype are ordinary names', async () => {
  const input: unknown = JSON.parse('{"__proto__": {"path": "x"}, "constructor": 1, "path": "a", "edits": [{"old_string": "a"}]}')
  for (const schema of [edits, plain]) {
    const issues = await issuesOf(schema, input)
    expect(issues.map((issue) => issue.split(':')[0]).sort()).toEqual(['__proto__', 'constructor'])
  }
  expect({}).not.toHaveProperty('path')
  const needsToString = { type: 'object', properties: { toString: { type: 'string' } }, required: ['toString'] }
  expect(await issuesOf(needsToString, {})).toEqual(['toString: is required'])
})

test('thousands of problems give fifty messages and a count, with short names and values', async () => {
  const many = await issuesOf(edits, { path: 'a', edits: Array.from({ length: 3000 }, () => ({ old_string: 1 })) })
  expect(many).toHaveLength(51)
  expect(many.at(-1)).toBe(': 2950 more problems')
  const [long] = await issuesOf(edits, { path: 'a', edits: [{ old_string: 'a' }], ['x'.repeat(100_000)]: 1 })
  expect(long?.length).toBeLessThan(1000)
  const [value] = await issuesOf(edits, { path: 'a', edits: [{ old_string: 'a' }], mode: 'x'.repeat(100_000) })
  expect(value?.length).toBeLessThan(200)
})

for (const [kind, schema] of [
  ['zod', edits],
  ['plain JSON Schema', plain],
] as const) {
  test(`${kind}: a hundred thousand problems give fifty messages and a count`, async () => {
    const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`unknown_field_${index}`, 1]))
    const unknown = await issuesOf(schema, { path: 'a', edits: [{ old_string: 'a' }], ...fields })
    expect(unknown).toHaveLength(51)
    expect(unknown[0]).toContain('unknown_field_0: is not a known field')
    expect(unknown.at(-1)).toBe(': 99950 more problems')
  })

  test.each([
    ['items', { path: 'a', edits: Array.from({ length: 150_000 }, () => ({ x: 1 })) }],
    [
      'items whose individual size is small',
      { path: 'a', edits: Array.from({ length: 300 }, () => ({ old_string: 'a', on: new Array(900).fill(1) })) },
    ],
    ['fields of an open object', { path: 'a', edits: [], headers: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [i, 'a'])) }],
  ])(`${kind}: too many %s are rejected before they are checked`, async (_, input) => {
    const most = kind === 'zod' ? 10_000 : 5000
    expect(await createValidator(schema).validate(input)).toEqual({
      ok: false,
      issues: [{ path: '', message: `has more than ${most} fields and items: send less in one call` }],
      excess: true,
    })
  })

  test(`${kind}: the check of several thousand values stops at the first problem`, async () => {
    const headers = Object.fromEntries(Array.from({ length: 4900 }, (_, i) => [`f${i}`, 'a']))
    expect(await issuesOf(schema, { path: 'a', edits: [{ old_string: 'a' }], headers })).toEqual([])
    const issues = await issuesOf(schema, { path: 'a', edits: [{ old_string: 'a' }], headers: { ...headers, f2: 1 } })
    expect(issues[0]).toBe('headers.f2: expected string, got number')
    if (kind !== 'zod') expect(issues[1]).toBe(': may have more problems: the check of a large input stops at the first')
  })
}

const TOO_MUCH = ': is too large or too deeply nested to check: send less in one call'

test('a RangeError of any schema, sync or async, is reported as an input problem', async () => {
  const overflow = (): never => {
    throw new RangeError('Maximum call stack size exceeded')
  }
  const json = { input: () => ({ type: 'object' }) }
  for (const validate of [overflow, async () => overflow()]) {
    expect(await issuesOf({ '~standard': { version: 1, vendor: 'own', validate, jsonSchema: json } }, {})).toEqual([TOO_MUCH])
  }
  let deep: unknown = 1
  for (let level = 0; level < 4990; level++) deep = { a: deep }
  const tree = { type: 'object', properties: { a: { $ref: '#' } } }
  expect(await issuesOf(tree, deep), 'too deep to be written').toEqual([TOO_MUCH])
})

test('rejects plain JSON Schema with an invalid pattern or reference at once', () => {
  const nested = (schema: object) => ({
    type: 'object',
    properties: { a: { anyOf: [{ items: schema }] } },
    $defs: { 'b/c': {}, yes: true },
  })
  for (const [schema, said] of [
    [nested({ pattern: '(' }), 'the pattern "(" is not a valid regular expression'],
    [nested({ pattern: '\\-' }), 'the pattern'],
    [nested({ patternProperties: { '[': {} } }), 'the pattern "["'],
    [nested({ $ref: '#/$defs/nope' }), '"$ref" has no target: "#/$defs/nope"'],
    [nested({ $ref: '#/$defs/%' }), '"$ref" has no target'],
    [nested({ $ref: '#/$defs/toString' }), '"$ref" has no target'],
  ] as const) {
    expect(() => createValidator(schema)).toThrow(
      expect.objectContaining({ code: 'unsupported_schema', message: expect.stringContaining(`Cannot use the input schema: ${said}`) }),
    )
  }
  for (const schema of [
    { pattern: '^a$', patternProperties: { '^x': { $ref: '#' } } },
    ...['#/$defs/b~1c', '#/$defs/yes', '#/properties/a', '#'].map(($ref) => ({ $ref })),
    { properties: { pattern: { type: 'string' }, $ref: { type: 'string' } }, default: { pattern: '(' }, enum: [{ $ref: '#/x' }] },
    { $id: 'https://example.com/inner', $defs: { d: {} }, items: { $ref: '#/$defs/d' } },
  ])
    expect(() => createValidator(nested(schema))).not.toThrow()
})

test('property: both kinds of schema accept and reject the same JSON and never throw cap:22 cap:48', async () => {
  const field = fc.oneof(fc.constantFrom('path', 'limit', 'mode', 'edits', 'paths', 'headers', 'old_string', '__proto__'), fc.string())
  const value = fc.oneof(fc.jsonValue(), fc.array(fc.record({ old_string: fc.string() })), fc.constantFrom('slice', 3, 'a'))
  await fc.assert(
    fc.asyncProperty(fc.dictionary(field, value), async (fields) => {
      const input: unknown = JSON.parse(JSON.stringify(fields))
      const results: Validation[] = [await createValidator(edits).validate(input), await createValidator(plain).validate(input)]
      expect(results[0]?.ok).toBe(results[1]?.ok)
      for (const result of results) if (!result.ok) expect(result.issues.length).toBeGreaterThan(0)
    }),
  )
})

describe('patternProperties in plain JSON Schema', () => {
  const named = (patternProperties: object, rest: object = {}) => ({
    type: 'object',
    patternProperties,
    additionalProperties: false,
    ...rest,
  })
  const a = 'a'.repeat(40)
  test.each([
    ['a backtracking pattern', named({ '^(a+)+$': { type: 'number' } }), { [`${a}!`]: 1 }, [`${a}!: is not a known field`]],
    ['a matching name', named({ '^(a+)+$': { type: 'number' } }), { [a]: '1', aa: 2 }, [`${a}: expected number, got string`]],
    [
      'a known name that matches two patterns',
      named({ '^(a+)+$': { minimum: 3 }, '^([ab]+)*$': { maximum: 1 } }, { properties: { aa: { type: 'integer' } } }),
      { aa: 2.5 },
      ['aa: expected integer, got 2.5', 'aa: expected at least 3, got 2.5', 'aa: expected at most 1, got 2.5'],
    ],
    [
      'a pattern below a reference',
      { type: 'object', additionalProperties: { $ref: '#/$defs/m' }, $defs: { m: named({ '^(a|a)*$': {} }) } },
      { x: { [`${a}b`]: 1, a: 1 } },
      [`x.${a}b: is not a known field`],
    ],
    [
      'a pattern that is too slow to check',
      named({ '^(a+)+\\1$': {} }),
      { [a]: 1 },
      [': has a text that is too long to check against the pattern /^(a+)+\\1$/: send a shorter text'],
    ],
  ])('%s', async (_, schema, input, issues) => {
    const found = await issuesOf(schema, input)
    expect(
      found.map(
        (issue) =>
          issue
            .replace(/["[\]]/g, '')
            .replace(/!$/, '!')
            .split(': use')[0],
      ),
    ).toEqual(issues)
    expect(await issuesOf(schema, {}), 'the input before leaves nothing behind').toEqual([])
  })
  test('a forbidden name is reported with the reason', async () => {
    const lower = { pattern: '^[a-z]+$', maxLength: 3 }
    const o = { type: 'object', propertyNames: lower }
    expect(
      await issuesOf({ type: 'object', properties: { o, propertyNames: lower } }, { o: { A1: 1, 'b/c': 2, abcd: 3 }, propertyNames: 'B' }),
    ).toEqual([
      'o.A1: is not an allowed name: expected text that matches /^[a-z]+$/, got "A1"',
      'o["b/c"]: is not an allowed name: expected text that matches /^[a-z]+$/, got "b/c"',
      'o.abcd: is not an allowed name: expected at most 3 characters, got 4',
      'propertyNames: expected text that matches /^[a-z]+$/, got "B"',
    ])
    const record = classic.object({ o: classic.record(classic.string().regex(/^[a-z]+$/), classic.number()) })
    expect(await issuesOf(record, { o: { A1: 1 } })).toEqual([
      'o.A1: is not an allowed name: expected text that matches /^[a-z]+$/, got "A1"',
    ])
  })
  test('the format "url" is checked in linear time', async () => {
    const schema = { type: 'object', properties: { u: { format: 'url' } } }
    expect(await issuesOf(schema, { u: `http://${'a'.repeat(60)} ` })).toEqual([
      expect.stringContaining('u: expected a valid URL, got "http://aaa'),
    ])
    expect(await issuesOf(schema, { u: 'https://example.com/a?b' })).toEqual([])
    expect(await issuesOf(schema, { u: 'mailto:a@b.c' })).toHaveLength(1)
    expect(await issuesOf(schema, { u: `http://${'a'.repeat(1_000_000)} ` })).toEqual([
      'u: is too long to check against the format "URL": send a shorter text',
    ])
    expect(await issuesOf({ type: 'object', properties: { d: { format: 'date' } } }, { d: '2024-1-1' })).toEqual([
      'd: expected a valid date, got "2024-1-1"',
    ])
  })
})

describe('too large input is rejected early', () => {
  const schema = z.strictObject({
    globs: z.optional(z.union([z.string(), z.array(z.string()).check(z.maxLength(3))])),
    edits: z.optional(
      z.array(z.strictObject({ old: z.string(), on: z.optional(z.array(z.int()).check(z.maxLength(2))) })).check(z.maxLength(3)),
    ),
  })
  const long = <T>(item: T): T[] => Array.from({ length: 4 }, () => item)
  test.each([
    ['a list', { globs: long('a') }, 'globs: expected at most 3 items, got 4'],
    ['a list of invalid items', { globs: long(1) }, 'globs: expected at most 3 items, got 4'],
    ['a list of objects', { edits: long({ old: 1 }) }, 'edits: expected at most 3 items, got 4'],
    ['a list in a list', { edits: [{ old: 'a' }, { old: 'a', on: long('x') }] }, 'edits[1].on: expected at most 2 items, got 4'],
  ])('%s', async (_, input, issue) => {
    expect(await issuesOf(schema, input)).toEqual([issue])
    expect(await issuesOf(createValidator(schema).jsonSchema(), input)).toEqual([issue])
    expect(createValidator(schema).validate(input)).toMatchObject({ excess: true })
  })

  const many = Object.fromEntries(Array.from({ length: 1050 }, (_, i) => [`f${i}`, i]))
  test.each([
    ['fields', { ...many, globs: 1 }, 'f0: is not a known field: use "globs", "edits"', ': 1000 more problems'],
    [
      'fields in a list',
      { edits: [{ old: 1 }, { ...many, old: 'a' }] },
      'edits[1].f0: is not a known field: use "old", "on"',
      ': 1000 more problems',
    ],
  ])('%s that no schema mentions', async (_, input, first, last) => {
    for (const each of [schema, createValidator(schema).jsonSchema()]) {
      const issues = await issuesOf(each, input)
      expect([issues.length, issues[0], issues.at(-1)]).toEqual([51, first, last])
      expect(await createValidator(each).validate(input)).toMatchObject({ excess: true })
    }
  })

  const closed = { type: 'object', properties: { a: {} }, additionalProperties: false }
  test.each([
    ['additionalProperties', { additionalProperties: closed }],
    ['oneOf', { properties: { o: { oneOf: [closed, { ...closed, properties: { b: {} } }] } } }],
    ['$ref', { properties: { o: { $ref: '#/$defs/o' } }, $defs: { o: closed } }],
    ['propertyNames', { properties: { o: { propertyNames: { pattern: '^[a-z]+$' } } } }],
  ])('the first of too many problems behind %s are reported', async (_, rest) => {
    const issues = await issuesOf({ type: 'object', ...rest }, { o: many })
    expect(issues.length).toBeLessThanOrEqual(51)
    expect(issues.at(-1)).toBe(': has more problems, which are not counted: send less in one call')
  })

  test('names that a pattern allows are not counted', async () => {
    const names = { type: 'object', patternProperties: { '^f': {} }, additionalProperties: false }
    expect(await issuesOf(names, many)).toEqual([])
  })
})
