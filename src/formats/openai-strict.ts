import { required } from '../errors/required.js'
import { isRecord } from '../ops/is-record.js'
import type { JsonSchema } from '../types/tool.js'
import { asSchema, branchesOf, isObjectSchema, propertiesOf, resolved, type Schema, typesOf } from './schema-walk.js'
import { Forms, Matcher } from './strict-forms.js'
import { isAny, isDropped, isMap } from './strict-kinds.js'
import { createRestore } from './strict-restore.js'

/** A schema for OpenAI's strict mode, and the conversion of inputs back to the tool's own schema. */
export interface StrictSchema {
  /**
   * Objects are closed and all their properties required; optional properties may be null. Objects with arbitrary names become lists of
   * `{name, value}`. Values of any type become JSON text.
   */
  readonly schema: JsonSchema
  /** Converts an input for the strict schema to the tool's own schema. Never throws. Keeps values that do not fit the strict schema. */
  restore(input: unknown): unknown
}

/**
 * Keywords that strict mode accepts and that are copied unchanged (OpenAI's guide to structured outputs, "supported schemas"). The keyword
 * `default` becomes a part of the description.
 */
const KEPT = new Set([
  'type',
  'description',
  'title',
  'enum',
  'const',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  '$ref',
])
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])
/** Maximum nesting of a schema, from OpenAI's guide. */
const MOST_LEVELS = 10

class NotStrict extends Error {}

/** The state of a conversion: every schema with its strict form, and all unions. */
interface Rendering {
  readonly root: JsonSchema
  readonly rendered: Map<Schema, JsonSchema>
  readonly unions: Schema[]
}

/**
 * Converts a schema to strict mode. Returns undefined if strict mode cannot express the schema: if the top is a union or not an object, and
 * for `allOf`, tuples, unions with properties next to them or with values of any type, ambiguous unions, types that allow both an object
 * and another kind, references outside `$defs`, and more than ten levels.
 */
export function toStrict(root: JsonSchema): StrictSchema | undefined {
  required('toStrict', 'a JSON Schema', root)
  // OpenAI rejects a union at the top.
  if (!isObjectSchema(root) || branchesOf(root).length > 0 || isMap(root) || isAny(root)) return undefined
  try {
    const to: Rendering = { root, rendered: new Map(), unions: [] }
    const schema = withDefs(strict(root, to, 1), to)
    const forms = new Forms(root, schema, to.rendered)
    if (!to.unions.every((union) => areApart(branchesOf(union), forms))) return undefined
    return { schema, restore: createRestore(forms) }
  } catch (error) {
    if (error instanceof NotStrict) return undefined
    throw error
  }
}

function withDefs(schema: JsonSchema, to: Rendering): JsonSchema {
  const defs = asSchema(to.root.$defs)
  if (!defs) return schema
  return { ...schema, $defs: Object.fromEntries(Object.entries(defs).map(([name, part]) => [name, strict(asSchema(part) ?? {}, to, 1)])) }
}

function strict(schema: Schema, to: Rendering, level: number): JsonSchema {
  const form = formed(schema, to, level)
  to.rendered.set(schema, form)
  return form
}

function formed(schema: Schema, to: Rendering, level: number): JsonSchema {
  if (level > MOST_LEVELS) throw new NotStrict('too deep')
  checkSayable(schema)
  // OpenAI allows no keywords next to a reference.
  if (schema.$ref !== undefined) return { $ref: schema.$ref }
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => isKept(keyword, value)))
  const described = withDefault(schema, withType(kept))
  const branches = branchesOf(schema)
  if (branches.length > 0) {
    to.unions.push(schema)
    return { ...described, anyOf: branches.map((branch) => strict(branch, to, level + 1)) }
  }
  if (isAny(schema)) return { type: 'string', description: told(schema.description, ANY) }
  if (isMap(schema)) return pairs(schema, described, to, level)
  if (isObjectSchema(schema)) return closed(schema, described, to, level)
  if (typesOf(schema).includes('array')) return { ...described, items: strict(asSchema(schema.items) ?? {}, to, level + 1) }
  return described
}

function checkSayable(schema: Schema): void {
  const branches = branchesOf(schema)
  if (schema.allOf !== undefined || schema.definitions !== undefined) throw new NotStrict('allOf')
  if (schema.prefixItems !== undefined || Array.isArray(schema.items)) throw new NotStrict('a tuple')
  if (branches.length > 0 && (isObjectSchema(schema) || branches.some(isAny))) throw new NotStrict('a union')
  if (typesOf(schema).length > 1 && isObjectSchema(schema)) throw new NotStrict('an object or something else')
  if (schema.$ref !== undefined && !/^#\/\$defs\/[^/]+$/.test(String(schema.$ref))) throw new NotStrict('a reference')
}

/** Adds the type that OpenAI requires next to an enum. */
function withType(kept: JsonSchema): JsonSchema {
  if (!Array.isArray(kept.enum) || kept.type !== undefined) return kept
  const types = new Set(kept.enum.map((value) => (value === null ? 'null' : typeof value)))
  return { ...kept, type: types.size === 1 ? [...types][0] : [...types] }
}

const ANY = 'The value as JSON text.'

function pairs(schema: Schema, kept: JsonSchema, to: Rendering, level: number): JsonSchema {
  const value = strict(asSchema(schema.additionalProperties) ?? {}, to, level + 2)
  const properties = { name: { type: 'string' }, value }
  const items = { type: 'object', properties, required: ['name', 'value'], additionalProperties: false }
  return { ...kept, type: 'array', items }
}

const isKept = (keyword: string, value: unknown): boolean => KEPT.has(keyword) && (keyword !== 'format' || FORMATS.has(String(value)))

/** Adds the default to the description, because models that do not know the default fill in the parameter every time. */
function withDefault({ default: value, description }: Schema, kept: JsonSchema): JsonSchema {
  if (value === undefined || (typeof description === 'string' && /default/i.test(description))) return kept
  return { ...kept, description: told(description, `Default: ${JSON.stringify(value)}.`) }
}

const told = (description: unknown, more: string): string =>
  typeof description === 'string' && description !== '' ? `${description} ${more}` : more

function closed(schema: Schema, kept: JsonSchema, to: Rendering, level: number): JsonSchema {
  if (isRecord(schema.additionalProperties) || isRecord(schema.patternProperties)) throw new NotStrict('properties of any name')
  const all = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const said = strict(property, to, level + 1)
    return [name, isDropped(name, property, schema, to.root) ? nullable(said, level + 1) : said] as const
  })
  return { ...kept, properties: Object.fromEntries(all), required: all.map(([name]) => name), additionalProperties: false }
}

function nullable(schema: JsonSchema, level: number): JsonSchema {
  const { description, ...rest } = schema
  const described = typeof description === 'string' ? { description } : {}
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  const isWrapped = 'const' in schema || schema.$ref !== undefined
  if (isWrapped && level === MOST_LEVELS) throw new NotStrict('too deep')
  if (isWrapped) return { ...described, anyOf: [rest, { type: 'null' }] }
  if (Array.isArray(schema.enum)) {
    const types = typesOf(schema)
    return { ...schema, ...(types.length > 0 && { type: [...types, 'null'] }), enum: [...schema.enum, null] }
  }
  return { ...schema, type: [...typesOf(schema), 'null'] }
}

type Seen = Map<Schema, Set<Schema>>

/** Whether every answer has one meaning: both branches that an answer fits restore it in the same way. */
function areApart(branches: readonly Schema[], forms: Forms): boolean {
  const seen: Seen = new Map()
  return branches.every((one, at) => branches.slice(at + 1).every((other) => !clash(one, other, forms, seen)))
}

/** Whether an answer may fit both schemas and be restored differently by each. */
function clash(a: Schema, b: Schema, forms: Forms, seen: Seen): boolean {
  const [one, other] = [resolved(a, forms.root), resolved(b, forms.root)]
  if (one === other || wasSeen(one, other, seen) || !forms.overlap(forms.of(one), forms.of(other))) return false
  const [some, others] = [branchesOf(one), branchesOf(other)]
  if (some.length > 0) return some.some((branch) => clash(branch, other, forms, seen))
  if (others.length > 0) return others.some((branch) => clash(one, branch, forms, seen))
  if (isAny(one) || isAny(other)) return !(isAny(one) && isAny(other))
  if (isMap(one) || isMap(other)) return !(isMap(one) && isMap(other)) || clash(itemIn(one), itemIn(other), forms, seen)
  if (isObjectSchema(one) && isObjectSchema(other)) return objectsClash(one, other, forms, seen)
  return areArrays(one, other) && clash(asSchema(one.items) ?? {}, asSchema(other.items) ?? {}, forms, seen)
}

/** Whether a pair is already being compared, which stops recursion. Records the pair. */
function wasSeen(one: Schema, other: Schema, seen: Seen): boolean {
  const others = seen.get(one) ?? new Set()
  seen.set(one, others)
  if (others.has(other)) return true
  others.add(other)
  return false
}

const itemIn = (map: Schema): Schema => asSchema(map.additionalProperties) ?? {}

const areArrays = (...schemas: readonly Schema[]): boolean => schemas.every((schema) => typesOf(schema).includes('array'))

function objectsClash(one: Schema, other: Schema, forms: Forms, seen: Seen): boolean {
  const others = propertiesOf(other)
  return Object.entries(propertiesOf(one)).some(([name, property]) => {
    const same = others[name] as Schema
    const isDroppedByOne = isDropped(name, property, one, forms.root) !== isDropped(name, same, other, forms.root)
    const takeNull = [one, other].every((schema) => new Matcher(forms, false).matches(null, formOf(schema, name, forms)))
    return (isDroppedByOne && takeNull) || clash(property, same, forms, seen)
  })
}

/** Returns the strict form of a property in its object, including the added null. */
const formOf = (schema: Schema, name: string, forms: Forms): Schema => propertiesOf(forms.of(schema))[name] ?? {}
