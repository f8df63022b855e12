import type { JsonSchema } from 'toolport'
import fc from '../fast-check.js'

type Arbitrary = fc.Arbitrary<unknown>

const JUNK: Arbitrary = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e9, '', 'x', [], {}, [null], { a: 1 }, ['x', 1]),
  fc.string({ maxLength: 5 }),
)

const record = (value: unknown): JsonSchema => (typeof value === 'object' && value !== null ? (value as JsonSchema) : {})

/** Values that mostly are as the schema says, with something else put in here and there. */
export function inputsOf(schema: JsonSchema): Arbitrary {
  return fc.oneof({ weight: 40, arbitrary: valuesOf(schema) }, { weight: 1, arbitrary: JUNK })
}

function valuesOf(schema: JsonSchema): Arbitrary {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  if ('const' in schema) return fc.constant(schema.const)
  const branches = [schema.anyOf, schema.oneOf].flat().filter((branch) => branch !== undefined)
  if (branches.length > 0) return fc.oneof(...branches.map((branch) => inputsOf(record(branch))))
  const types = [schema.type].flat()
  return types.length === 1 ? ofType(types[0], schema) : fc.oneof(JUNK, ...types.map((type) => ofType(type, schema)))
}

function ofType(type: unknown, schema: JsonSchema): Arbitrary {
  const [low, high] = [numberOf(schema.minimum, -5), numberOf(schema.maximum, 1e7)]
  if (type === 'string') return texts(schema)
  if (type === 'integer')
    return fc.oneof(fc.integer({ min: Math.ceil(low), max: Math.floor(high) }), fc.constantFrom(low, high, low - 1, high + 1))
  if (type === 'number') return fc.oneof(fc.double({ min: low, max: high, noNaN: true }), fc.constantFrom(low, high, low - 1, high + 1))
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') return fc.array(inputsOf(record(schema.items)), { maxLength: 4 })
  if (type === 'object') return objects(schema)
  return JUNK
}

const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

function texts({ pattern, minLength, maxLength }: JsonSchema): Arbitrary {
  const any = fc.string({
    maxLength: Math.min(numberOf(maxLength, 12) + 1, 40),
    minLength: Math.max(0, Math.min(numberOf(minLength, 0), 40) - 1),
  })
  return typeof pattern === 'string' ? fc.oneof(any, fc.stringMatching(new RegExp(pattern))) : any
}

function objects(schema: JsonSchema): Arbitrary {
  const properties = Object.entries(record(schema.properties))
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const model = Object.fromEntries(properties.map(([name, property]) => [name, inputsOf(record(property))]))
  const known = fc.record(model, { requiredKeys: required.filter((name) => Object.hasOwn(model, name)) })
  const more = fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('extra', 'zz'), JUNK, { maxKeys: 1 }) },
  )
  const fewer = fc.option(fc.constantFrom('', ...required), { nil: '', freq: 6 })
  return fc.tuple(known, more, fewer).map(([object, others, dropped]) => {
    const { [dropped]: _, ...kept } = { ...object, ...others } as Record<string, unknown>
    return kept
  })
}
