import { resolvePointer } from '../core/schema-fields.js'
import { isRecord } from '../ops/is-record.js'
import type { JsonSchema } from '../types/tool.js'
import { asSchema, branchesOf, isObjectSchema, propertiesOf, requiredOf, type Schema, schemasOf, typesOf } from './schema-walk.js'

/** Keywords of `parametersJsonSchema` that are copied unchanged (reference of the Gemini API, `Schema` and "JSON Schema support"). */
const KEPT = new Set(['type', 'title', 'description', 'format', 'enum', 'minItems', 'maxItems', 'minimum', 'maximum'])
/** Maximum nesting of a schema in itself. */
const MOST_TURNS = 2
const MOST_REFERENCES = 300

/** The context of a schema during rendering. */
interface Scope {
  readonly root: JsonSchema
  /** The schemas that references led to, outermost first. */
  readonly through: readonly Schema[]
  /** Number of references that may still be followed in the whole schema. */
  readonly left: { count: number }
}

/**
 * Reduces a schema to the keywords that Gemini accepts. The runtime still validates the omitted keywords. Replaces references by their
 * targets, because Gemini allows no keywords next to a `$ref` and no recursion through required properties. Reduces a schema that is nested
 * too often in itself to its type and description.
 */
export function toGeminiSchema(root: JsonSchema): JsonSchema {
  return rendered(root, { root, through: [root], left: { count: MOST_REFERENCES } })
}

function rendered(given: Schema, from: Scope): JsonSchema {
  const { schema, scope } = whole(given, from)
  const kept: Record<string, unknown> = Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEPT.has(keyword)))
  if ('const' in schema) kept.enum = [schema.const]
  // Gemini rejects an `enum` with anything but strings.
  if (Array.isArray(kept.enum) && !kept.enum.every((value) => typeof value === 'string')) delete kept.enum
  const branches = branchesOf(schema).map((branch) => rendered(branch, scope))
  // A branch without keywords accepts everything, so leave out the union.
  if (branches.length > 0 && branches.every((branch) => Object.keys(branch).length > 0)) kept.anyOf = branches
  const items = asSchema(schema.items)
  if (items) kept.items = rendered(items, scope)
  else if (typesOf(schema).includes('array')) kept.items = {}
  return isObjectSchema(schema) ? { ...kept, ...object(schema, scope) } : kept
}

/** Converts an object schema. Adds missing required names to `properties`, because Gemini requires that. */
function object(schema: Schema, scope: Scope): JsonSchema {
  const required = requiredOf(schema)
  const others = asSchema(schema.additionalProperties) ?? {}
  const properties = propertiesOf(schema)
  const missing = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => [name, others] as const)
  const all = [...Object.entries(properties), ...missing].map(([name, property]) => [name, rendered(property, scope)])
  return {
    ...((isRecord(schema.properties) || all.length > 0) && { properties: Object.fromEntries(all) }),
    ...(required.length > 0 && { required }),
    ...(schema.additionalProperties === false && { additionalProperties: false }),
  }
}

/** Merges the schema with the target of its `$ref` and with the parts of its `allOf`. */
function whole(given: Schema, from: Scope): { readonly schema: Schema; readonly scope: Scope } {
  const { $ref, allOf, ...own } = given
  let [schema, scope]: [Schema, Scope] = [own, from]
  for (const part of schemasOf(allOf)) {
    const found = whole(part, scope)
    schema = mergeSchemas(schema, found.schema)
    scope = found.scope
  }
  const target = typeof $ref === 'string' ? resolvePointer(from.root, $ref) : undefined
  if (!target) return { schema, scope }
  if (!mayFollow(target, scope)) return { schema: mergeSchemas(schema, outline(target)), scope }
  scope.left.count--
  const found = whole(target, { ...scope, through: [...scope.through, target] })
  return { schema: mergeSchemas(schema, found.schema), scope: found.scope }
}

const mayFollow = (target: Schema, { through, left }: Scope): boolean =>
  left.count > 0 && through.filter((schema) => schema === target).length < MOST_TURNS

const outline = ({ type, description }: Schema): Schema => ({
  ...(type !== undefined && { type }),
  ...(description !== undefined && { description }),
})

type Merge = (one: unknown, other: unknown) => unknown

/** How to merge a keyword that both schemas have. For other keywords, the first schema wins. */
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

/** Combines two schemas for the same value, without `allOf`. The result may accept more than both together. */
function mergeSchemas(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...other, ...one }
  for (const [keyword, merge] of Object.entries(MERGES))
    if (keyword in one && keyword in other) merged[keyword] = merge(one[keyword], other[keyword])
  if (!isClosed(one, other) && !isClosed(other, one)) delete merged.additionalProperties
  else merged.additionalProperties = false
  return merged
}

/** Whether the schema is closed and has all properties of the other schema. */
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

/** Returns the types that both accept. An integer is also a number. */
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
