import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema } from 'toolport'

const record = (value: unknown): JsonSchema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined

const ajv = new Ajv2020({ strict: false })

/** The value as a model must write it in strict mode. */
export function spell(value: unknown, schema: JsonSchema): unknown {
  const branches = [schema.anyOf, schema.oneOf]
    .flat()
    .flatMap((branch): JsonSchema[] => [record(branch) ?? {}])
    .filter((branch) => Object.keys(branch).length > 0)
  if (branches.length > 0) {
    const fitting = branches.find((branch) => ajv.validate(structuredClone(branch), value))
    return fitting ? spell(value, fitting) : value
  }
  const [properties, others] = [record(schema.properties), record(schema.additionalProperties)]
  const isAny = !properties && (schema.type === undefined || (schema.type === 'object' && Object.keys(others ?? {}).length === 0))
  if (isAny && !schema.enum) return JSON.stringify(value)
  if (Array.isArray(value)) return value.map((item) => spell(item, record(schema.items) ?? {}))
  const object = record(value)
  if (!object) return value
  if (!properties) return Object.entries(object).map(([name, item]) => ({ name, value: spell(item, others ?? {}) }))
  const all = Object.entries(properties).map(([name, property]) => [
    name,
    Object.hasOwn(object, name) ? spell(object[name], record(property) ?? {}) : null,
  ])
  return { ...object, ...Object.fromEntries(all) }
}
