import type { JsonSchema } from 'toolport'
import { toStrict } from 'toolport/formats'

type Schema = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const recordOf = (value: unknown): Schema => (isRecord(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/**
 * The input as a model writes it in OpenAI's strict mode: every property is present, and null means absent. Undefined if strict mode cannot
 * express the input: then the tool has to be offered without strict mode.
 */
export function strictInput(input: unknown, schema: JsonSchema): unknown {
  const strict = toStrict(schema)
  if (!strict) return undefined
  const said = say(input, schema, { root: schema, depth: DEEPEST })
  // Rejects invalid inputs, and property names that the schema does not define.
  return isSame(strict.restore(said), input) ? said : undefined
}

/** Maximum nesting depth. */
const DEEPEST = 100

interface Place {
  readonly root: JsonSchema
  readonly depth: number
}

function say(value: unknown, schema: Schema, { root, depth }: Place): unknown {
  if (depth === 0) return value
  const inside = { root, depth: depth - 1 }
  if (typeof schema.$ref === 'string') return say(value, definitionOf(schema.$ref, root), inside)
  const branches = listOf(schema.anyOf ?? schema.oneOf).map(recordOf)
  const branch = branches.find((one) => fits(value, one, inside))
  if (branches.length > 0) return branch ? say(value, branch, inside) : value
  if (isAny(schema)) return JSON.stringify(value)
  if (Array.isArray(value)) return value.map((item) => say(item, recordOf(schema.items), inside))
  if (!isRecord(value)) return value
  if (!isRecord(schema.properties)) {
    const items = recordOf(schema.additionalProperties)
    return Object.entries(value).map(([name, item]) => ({ name, value: say(item, items, inside) }))
  }
  const properties = Object.entries(schema.properties)
  return Object.fromEntries(
    properties.map(([name, property]) => [name, Object.hasOwn(value, name) ? say(value[name], recordOf(property), inside) : null]),
  )
}

const definitionOf = (reference: string, root: JsonSchema): Schema => recordOf(recordOf(root.$defs)[reference.replace('#/$defs/', '')])

/** Whether the schema accepts any type. Strict mode encodes such a value as JSON text. */
function isAny({ type, properties, additionalProperties: more, enum: values, ...rest }: Schema): boolean {
  if (values !== undefined || 'const' in rest || isRecord(properties)) return false
  return type === undefined || (type === 'object' && Object.keys(recordOf(more)).length === 0 && more !== false)
}

/** Whether a value matches a branch of a union, judged by types, constants and property names. */
function fits(value: unknown, schema: Schema, { root, depth }: Place): boolean {
  if (depth === 0) return true
  const inside = { root, depth: depth - 1 }
  if (typeof schema.$ref === 'string') return fits(value, definitionOf(schema.$ref, root), inside)
  const branches = listOf(schema.anyOf ?? schema.oneOf)
  if (branches.length > 0) return branches.some((one) => fits(value, recordOf(one), inside))
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if ('const' in schema) return schema.const === value
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return true
  if (Array.isArray(value)) return types.includes('array') && value.every((item) => fits(item, recordOf(schema.items), inside))
  if (isRecord(value)) return types.includes('object') && fitsObject(value, schema, inside)
  return types.includes(value === null ? 'null' : typeof value) || (Number.isInteger(value) && types.includes('integer'))
}

function fitsObject(value: Schema, schema: Schema, place: Place): boolean {
  const properties = recordOf(schema.properties)
  if (!listOf(schema.required).every((name) => Object.hasOwn(value, String(name)))) return false
  return Object.entries(value).every(([name, item]) =>
    Object.hasOwn(properties, name) ? fits(item, recordOf(properties[name]), place) : schema.additionalProperties !== false,
  )
}

/** Whether both are the same JSON, ignoring the order of properties. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isRecord(a) || !isRecord(b)) return Object.is(a, b)
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
}
