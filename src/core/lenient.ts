import type { JsonSchema } from '../types/tool.js'
import { record, resolvePointer } from './schema-fields.js'

/**
 * Repairs common mistakes of models, if the schema makes the intention clear: numbers and booleans as text and vice versa, objects and
 * arrays as JSON text, null for an optional field, unknown fields of a closed object. Leaves everything else unchanged; the caller
 * validates the result.
 */
export function repairInput(input: unknown, schema: JsonSchema): unknown {
  return repair(input, schema, schema, 0)
}

const DEEPEST = 100

function repair(value: unknown, given: JsonSchema, root: JsonSchema, depth: number): unknown {
  const schema = typeof given.$ref === 'string' ? (resolvePointer(root, given.$ref) ?? given) : given
  const converted = convert(value, schema.type)
  if (depth > DEEPEST || typeof converted !== 'object' || converted === null) return converted
  if (Array.isArray(converted)) {
    const items = record(schema.items)
    return items ? converted.map((item) => repair(item, items, root, depth + 1)) : converted
  }
  return schema.type === 'object' ? repairObject(converted, schema, root, depth) : converted
}

function repairObject(value: object, schema: JsonSchema, root: JsonSchema, depth: number): object {
  const properties = record(schema.properties) ?? {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const kept: [string, unknown][] = []
  for (const [key, field] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? record(properties[key]) : undefined
    if (!known) {
      if (schema.additionalProperties !== false) kept.push([key, field])
    } else if (field !== null || required.includes(key) || allowsNull(known)) {
      kept.push([key, repair(field, known, root, depth + 1)])
    }
  }
  return Object.fromEntries(kept)
}

const NUMBER = /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/

function convert(value: unknown, type: unknown): unknown {
  if (typeof value === 'string') {
    if ((type === 'number' || type === 'integer') && NUMBER.test(value)) return Number(value)
    if (type === 'boolean' && /^\s*(true|false)\s*$/i.test(value)) return value.trim().toLowerCase() === 'true'
    if (type === 'object' || type === 'array') return parsed(value, type)
    return value
  }
  const scalar = typeof value === 'number' || typeof value === 'boolean'
  return type === 'string' && scalar ? String(value) : value
}

function parsed(text: string, type: 'object' | 'array'): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && Array.isArray(value) === (type === 'array') ? value : text
  } catch {
    // The text is not JSON; validation reports the problem.
    return text
  }
}

/** Whether a schema allows null. Also true for a schema without a type. */
function allowsNull({ type, anyOf, oneOf }: JsonSchema): boolean {
  if (Array.isArray(anyOf) || Array.isArray(oneOf))
    return [anyOf, oneOf].flat().some((branch) => record(branch) && allowsNull(record(branch) ?? {}))
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'))
}
