import { resolvePointer } from '../core/schema-fields.js'
import { isRecord } from '../ops/is-record.js'
import type { JsonSchema } from '../types/tool.js'
import { asSchema, branchesOf, isObjectSchema, propertiesOf, requiredOf, type Schema, schemasOf, typesOf } from './schema-walk.js'

/** What `parametersJsonSchema` takes (reference of the Gemini API, `Schema` and "JSON Schema support"), beside those that are rewritten. */
const KEPT = new Set(['type', 'title', 'description', 'format', 'enum', 'minItems', 'maxItems', 'minimum', 'maximum'])
/** How often a schema may stand within itself. */
const MOST_TURNS = 2
const MOST_REFERENCES = 300

/** Where a schema stands. */
interface Scope {
  readonly root: JsonSchema
  /** What references have led here. */
  readonly through: readonly Schema[]
  /** References that may still be followed, in the whole schema. */
  readonly left: { count: number }
}

/**
 * The schema with the keywords that Gemini knows; what is left out, our own validation still asks for. References are written out, as
 * nothing may stand beside one and none may lead to itself from what is required: within itself, a schema is one of its type alone.
 */
export function toGeminiSchema(root: JsonSchema): JsonSchema {
  return rendered(root, { root, through: [root], left: { count: MOST_REFERENCES } })
}

function rendered(given: Schema, from: Scope): JsonSchema {
  const { schema, scope } = whole(given, from)
  const kept: Record<string, unknown> = Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEPT.has(keyword)))
  if ('const' in schema) kept.enum = [schema.const]
  // Of text only: numbers in it are refused.
  if (Array.isArray(kept.enum) && !kept.enum.every((value) => typeof value === 'string')) delete kept.enum
  const branches = branchesOf(schema).map((branch) => rendered(branch, scope))
  // One of which nothing is left allows everything.
  if (branches.length > 0 && branches.every((branch) => Object.keys(branch).length > 0)) kept.anyOf = branches
  const items = asSchema(schema.items)
  if (items) kept.items = rendered(items, scope)
  else if (typesOf(schema).includes('array')) kept.items = {}
  return isObjectSchema(schema) ? { ...kept, ...object(schema, scope) } : kept
}

/** A name that is required has to be among the properties. */
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

/** With what it refers to and the parts of its `allOf` in one. */
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
function mergeSchemas(one: Schema, other: Schema): Schema {
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
