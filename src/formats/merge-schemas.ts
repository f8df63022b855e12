import { isRecord } from '../ops/is-record.js'
import { propertiesOf, requiredOf, type Schema, typesOf } from './schema-walk.js'

type Merge = (one: unknown, other: unknown) => unknown

/** Of other keywords that both have, the first one's is taken. */
const MERGES: Readonly<Record<string, Merge>> = {
  properties: (one, other) => mergeProperties({ properties: one }, { properties: other }),
  required: (one, other) => [...new Set([...requiredOf({ required: one }), ...requiredOf({ required: other })])],
  items: (one, other) => (isRecord(one) && isRecord(other) ? { allOf: [one, other] } : one),
  type: (one, other) => mergeTypes(typesOf({ type: one }), typesOf({ type: other })),
  enum: (one, other) => (Array.isArray(one) && Array.isArray(other) ? one.filter((value) => other.includes(value)) : one),
  minimum: greater,
  minItems: greater,
  maximum: less,
  maxItems: less,
}

/** One schema for what two say of the same value, as far as one can say it: it may allow more. Neither has an `allOf`. */
export function mergeSchemas(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...other, ...one }
  for (const [keyword, merge] of Object.entries(MERGES))
    if (keyword in one && keyword in other) merged[keyword] = merge(one[keyword], other[keyword])
  if (!isClosed(one, other) && !isClosed(other, one)) delete merged.additionalProperties
  else merged.additionalProperties = false
  return merged
}

/** Knows all names that the other has. */
function isClosed(schema: Schema, other: Schema): boolean {
  const names = propertiesOf(schema)
  return schema.additionalProperties === false && Object.keys(propertiesOf(other)).every((name) => Object.hasOwn(names, name))
}

function mergeProperties(one: Schema, other: Schema): Schema {
  const merged = Object.entries(propertiesOf(one))
  for (const [name, schema] of Object.entries(propertiesOf(other))) {
    const found = merged.find(([known]) => known === name)
    if (found) found[1] = { allOf: [found[1], schema] }
    else merged.push([name, schema])
  }
  return Object.fromEntries(merged)
}

/** Whole numbers are numbers. */
function mergeTypes(one: readonly unknown[], other: readonly unknown[]): unknown {
  const common = [...new Set([...one.filter((type) => takes(other, type)), ...other.filter((type) => takes(one, type))])]
  if (common.length === 0) return one
  return common.length === 1 ? common[0] : common
}

const takes = (types: readonly unknown[], type: unknown): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

function greater(one: unknown, other: unknown): unknown {
  return typeof one === 'number' && typeof other === 'number' ? Math.max(one, other) : one
}

function less(one: unknown, other: unknown): unknown {
  return typeof one === 'number' && typeof other === 'number' ? Math.min(one, other) : one
}
