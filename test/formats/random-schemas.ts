import type { JsonSchema } from 'toolport'
import fc from '../fast-check.js'
import { record } from './from-schema.js'

/** A tool's input, and the same input in strict mode. */
export interface Said {
  readonly value: unknown
  readonly said: unknown
}

const LEAVES: readonly JsonSchema[] = [
  { type: 'string' },
  { type: 'number' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'null' },
  { type: ['number', 'null'] },
  { type: ['string', 'integer'] },
  { enum: ['x', 'y'] },
  { enum: ['x', null] },
  { const: 'x' },
  { const: 1 },
]
const ANY: JsonSchema = {}
const REFERENCE: JsonSchema = { $ref: '#/$defs/shared' }

/** Uses few names and types, so that branches of unions are often similar. */
const { part } = fc.letrec<{ part: JsonSchema; single: JsonSchema; object: JsonSchema }>((tie) => ({
  part: fc.oneof({ weight: 3, arbitrary: tie('single') }, { weight: 2, arbitrary: unionOf(tie('single')) }, fc.constant(ANY)),
  single: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: fc.constantFrom(...LEAVES, REFERENCE) },
    { weight: 4, arbitrary: objectOf(tie('part')) },
    { weight: 1, arbitrary: tie('part').map((items) => ({ type: 'array', items })) },
    { weight: 1, arbitrary: tie('single').map((more) => ({ type: 'object', additionalProperties: more })) },
  ),
  object: objectOf(tie('part')),
}))

function unionOf(branch: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  return fc.tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(branch, { minLength: 2, maxLength: 3 })).map(([key, all]) => ({ [key]: all }))
}

function objectOf(property: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  const properties = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.tuple(property, fc.boolean()), { minKeys: 1, maxKeys: 2 })
  return fc.tuple(properties, fc.boolean()).map(([all, isClosed]) => ({
    type: 'object',
    properties: Object.fromEntries(Object.entries(all).map(([name, [schema]]) => [name, schema])),
    required: Object.keys(all).filter((name) => all[name]?.[1]),
    ...(isClosed && { additionalProperties: false }),
  }))
}

export const schemas: fc.Arbitrary<JsonSchema> = fc
  .tuple(
    fc.array(part, { minLength: 1, maxLength: 2 }),
    fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
    objectOf(fc.constantFrom(...LEAVES, ANY)),
  )
  .map(([all, required, shared]) => ({
    type: 'object',
    properties: Object.fromEntries(all.map((schema, index) => [`p${index}`, schema])),
    required: all.flatMap((_, index) => (required[index] ? [`p${index}`] : [])),
    $defs: { shared },
  }))

const TEXTS = ['', 'x', '1', 'null', '{"a":1}']
const ANYTHING = [null, 1, 'x', '1', true, [1, null], { a: null }]

/** Pairs for one schema. Both values of a pair belong to the same branch of a union. */
export function saidOf(schema: JsonSchema, root: JsonSchema = schema): fc.Arbitrary<Said> {
  if (schema.$ref !== undefined) return saidOf(record(record(root.$defs).shared), root)
  const branches = [schema.anyOf ?? schema.oneOf ?? []].flat() as JsonSchema[]
  if (branches.length > 0) return fc.oneof(...branches.map((branch) => saidOf(branch, root)))
  if (Array.isArray(schema.enum)) return plain(...(schema.enum as unknown[]))
  if ('const' in schema) return plain(schema.const)
  const types = [schema.type ?? []].flat()
  return types.length === 0 ? anything() : fc.oneof(...types.map((type) => saidAs(type, schema, root)))
}

const plain = (...values: readonly unknown[]): fc.Arbitrary<Said> => fc.constantFrom(...values).map((value) => ({ value, said: value }))

const anything = (): fc.Arbitrary<Said> => fc.constantFrom(...ANYTHING).map((value) => ({ value, said: JSON.stringify(value) }))

function saidAs(type: unknown, schema: JsonSchema, root: JsonSchema): fc.Arbitrary<Said> {
  if (type === 'string') return plain(...TEXTS)
  if (type === 'number') return plain(0, 1, 1.5)
  if (type === 'integer') return plain(0, 1)
  if (type === 'boolean') return plain(true, false)
  if (type === 'null') return plain(null)
  if (type === 'array') return fc.array(saidOf(record(schema.items), root), { maxLength: 2 }).map(listOf)
  return schema.properties === undefined ? maps(record(schema.additionalProperties), root) : objects(schema, root)
}

const listOf = (items: readonly Said[]): Said => ({ value: items.map(({ value }) => value), said: items.map(({ said }) => said) })

function maps(item: JsonSchema, root: JsonSchema): fc.Arbitrary<Said> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'name', '__proto__'), saidOf(item, root)), { selector: ([name]) => name, maxLength: 2 })
    .map((all) => ({
      value: Object.fromEntries(all.map(([name, { value }]) => [name, value])),
      said: all.map(([name, { said }]) => ({ name, value: said })),
    }))
}

/** Omitted properties are null in strict mode, so a property that accepts null itself is never omitted. */
function objects(schema: JsonSchema, root: JsonSchema): fc.Arbitrary<Said> {
  const required = (schema.required ?? []) as string[]
  const properties = Object.entries(record(schema.properties)).map(([name, property]) => {
    const given = saidOf(record(property), root).map((said) => ({ name, ...said, isGiven: true }))
    const isOptional = !required.includes(name) && !takesNull(record(property), root)
    return isOptional ? fc.oneof(given, fc.constant({ name, value: undefined, said: null, isGiven: false })) : given
  })
  return fc.tuple(...properties).map((all) => ({
    value: Object.fromEntries(all.filter(({ isGiven }) => isGiven).map(({ name, value }) => [name, value])),
    said: Object.fromEntries(all.map(({ name, said }) => [name, said])),
  }))
}

function takesNull(schema: JsonSchema, root: JsonSchema): boolean {
  if (schema.$ref !== undefined) return takesNull(record(record(root.$defs).shared), root)
  const branches = [schema.anyOf ?? schema.oneOf ?? []].flat() as JsonSchema[]
  return (
    branches.some((branch) => takesNull(branch, root)) || [schema.type, schema.enum].flat().some((one) => one === 'null' || one === null)
  )
}
