import type { JsonSchema } from 'toolport'
import fc from '../fast-check.js'
import { mutated } from './mutations.js'

type Arbitrary = fc.Arbitrary<unknown>

export const record = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {}

/** Valid values, and slightly more values with one to three mutations. */
export function inputsOf(schema: JsonSchema): Arbitrary {
  const valid = valuesOf(schema)
  return fc.oneof({ weight: 2, arbitrary: valid }, { weight: 3, arbitrary: mutated(valid, schema) })
}

/** Valid values. Supports the keywords that our tools use; texts are otherwise random. */
export function valuesOf(schema: JsonSchema): Arbitrary {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  if ('const' in schema) return fc.constant(schema.const)
  const branches = [schema.anyOf, schema.oneOf].flat().filter((branch) => branch !== undefined)
  if (branches.length > 0) return fc.oneof(...branches.map((branch) => valuesOf(record(branch))))
  const types = [schema.type].flat()
  return types.length === 1 ? ofType(types[0], schema) : fc.oneof(...types.map((type) => ofType(type, schema)))
}

function ofType(type: unknown, schema: JsonSchema): Arbitrary {
  const [low, high] = [numberOf(schema.minimum, -1e7), numberOf(schema.maximum, 1e7)]
  if (type === 'string') return texts(schema)
  if (type === 'integer') return fc.oneof(fc.integer({ min: Math.ceil(low), max: Math.floor(high) }), fc.constantFrom(low, high))
  if (type === 'number') return fc.oneof(fc.double({ min: low, max: high, noNaN: true }), fc.integer({ min: low, max: high }))
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array')
    return fc.array(valuesOf(record(schema.items)), {
      minLength: numberOf(schema.minItems, 0),
      maxLength: numberOf(schema.minItems, 0) + 3,
    })
  if (type === 'object') return objects(schema)
  return fc.jsonValue({ maxDepth: 2 })
}

const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

function texts({ pattern, minLength, maxLength }: JsonSchema): Arbitrary {
  const bounds = { minLength: numberOf(minLength, 0), maxLength: Math.min(numberOf(maxLength, 12), 12) }
  const any = fc.oneof(fc.string(bounds), fc.string({ ...bounds, unit: 'grapheme' }), fc.constantFrom('1', '-2.0', 'true', 'null', '[]'))
  if (typeof pattern !== 'string') return any
  const rule = new RegExp(pattern, 'u')
  const fits = (text: unknown): boolean => rule.test(String(text))
  const made = fc.stringMatching(rule)
  // If few random texts match the pattern, make texts from the pattern.
  return fc.sample(any, 100).filter(fits).length < 20 ? made : fc.oneof(any.filter(fits), made)
}

function objects(schema: JsonSchema): Arbitrary {
  const properties = Object.entries(record(schema.properties))
  if (properties.length === 0) return maps(schema)
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const model = Object.fromEntries(properties.map(([name, property]) => [name, valuesOf(record(property))]))
  return fc.record(model, { requiredKeys: required.filter((name) => Object.hasOwn(model, name)) })
}

function maps({ propertyNames, additionalProperties }: JsonSchema): Arbitrary {
  if (additionalProperties === false) return fc.constant({})
  const { not, ...names } = record(propertyNames)
  const name = valuesOf({ type: 'string', ...names }).filter((text) => record(not).const !== text) as fc.Arbitrary<string>
  const value = additionalProperties === undefined ? fc.jsonValue({ maxDepth: 1 }) : valuesOf(record(additionalProperties))
  return fc.dictionary(name, value, { maxKeys: 3 })
}
