import type { JsonSchema } from '../types/tool.js'
import {
  acceptsNull,
  asSchema,
  branchesOf,
  isObjectSchema,
  isRecord,
  propertiesOf,
  requiredOf,
  resolved,
  type Schema,
  typesOf,
} from './schema-walk.js'

/** A schema as OpenAI's strict mode takes it. */
export interface StrictSchema {
  /**
   * Closed objects, every property required; what was optional may be null. Objects of any names are lists of `{name, value}`, values of
   * any type their JSON as text.
   */
  readonly schema: JsonSchema
  /** The input as the tool's own schema has it. Never throws; what is not as the strict schema says stays as it is. */
  restore(input: unknown): unknown
}

/**
 * Keywords of strict mode (OpenAI's guide to structured outputs, "supported schemas"), beside those that are rewritten.
 * `default` is told in the description.
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
/** The guide's limit of levels. */
const MOST_LEVELS = 10

class NotStrict extends Error {}

/**
 * Undefined where strict mode cannot say it: nothing or a union at the top, `allOf`, tuples, unions beside properties or with values of any
 * type, objects that may be something else, references out of `$defs`, more than ten levels.
 */
export function toStrict(root: JsonSchema): StrictSchema | undefined {
  // A union at the top is refused.
  if (!isObjectSchema(root) || branchesOf(root).length > 0 || isMap(root) || isAny(root)) return undefined
  try {
    const schema = strict(root, root, 1)
    const defs = asSchema(root.$defs)
    const own = defs && Object.fromEntries(Object.entries(defs).map(([name, part]) => [name, strict(asSchema(part) ?? {}, root, 1)]))
    return { schema: own ? { ...schema, $defs: own } : schema, restore: (input) => restored(input, root, root, DEEPEST) }
  } catch (error) {
    if (error instanceof NotStrict) return undefined
    throw error
  }
}

function strict(schema: Schema, root: JsonSchema, level: number): JsonSchema {
  if (level > MOST_LEVELS) throw new NotStrict('too deep')
  checkSayable(schema)
  // Nothing may stand beside a reference.
  if (schema.$ref !== undefined) return { $ref: schema.$ref }
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => isKept(keyword, value)))
  const described = withDefault(schema, withType(kept))
  const branches = branchesOf(schema)
  if (branches.length > 0) return { ...described, anyOf: branches.map((branch) => strict(branch, root, level + 1)) }
  if (isAny(schema)) return { type: 'string', description: told(schema.description, ANY) }
  if (isMap(schema)) return pairs(schema, described, root, level)
  if (isObjectSchema(schema)) return closed(schema, described, root, level)
  if (typesOf(schema).includes('array')) return { ...described, items: strict(asSchema(schema.items) ?? {}, root, level + 1) }
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

/** An enum needs one. */
function withType(kept: JsonSchema): JsonSchema {
  if (!Array.isArray(kept.enum) || kept.type !== undefined) return kept
  const types = new Set(kept.enum.map((value) => (value === null ? 'null' : typeof value)))
  return { ...kept, type: types.size === 1 ? [...types][0] : [...types] }
}

const ANY = 'The value as JSON text.'

/** Nothing is said of it but, perhaps, that it is an object. */
const isAny = (schema: Schema): boolean =>
  schema.$ref === undefined &&
  schema.enum === undefined &&
  !('const' in schema) &&
  branchesOf(schema).length === 0 &&
  (schema.type === undefined || (schema.type === 'object' && !isRecord(schema.properties) && isOpen(schema)))

const isOpen = ({ additionalProperties: more, patternProperties }: Schema): boolean =>
  !isRecord(patternProperties) && (more === undefined || more === true || (isRecord(more) && Object.keys(more).length === 0))

/** Its names are not known, its values are of one kind. */
const isMap = (schema: Schema): boolean =>
  isObjectSchema(schema) && Object.keys(propertiesOf(schema)).length === 0 && isRecord(schema.additionalProperties)

function pairs(schema: Schema, kept: JsonSchema, root: JsonSchema, level: number): JsonSchema {
  const value = strict(asSchema(schema.additionalProperties) ?? {}, root, level + 2)
  const properties = { name: { type: 'string' }, value }
  const items = { type: 'object', properties, required: ['name', 'value'], additionalProperties: false }
  return { ...kept, type: 'array', items }
}

const isKept = (keyword: string, value: unknown): boolean => KEPT.has(keyword) && (keyword !== 'format' || FORMATS.has(String(value)))

/** A model that is not told of a default gives it every time. */
function withDefault({ default: value, description }: Schema, kept: JsonSchema): JsonSchema {
  if (value === undefined || (typeof description === 'string' && /default/i.test(description))) return kept
  return { ...kept, description: told(description, `Default: ${JSON.stringify(value)}.`) }
}

const told = (description: unknown, more: string): string =>
  typeof description === 'string' && description !== '' ? `${description} ${more}` : more

function closed(schema: Schema, kept: JsonSchema, root: JsonSchema, level: number): JsonSchema {
  const properties = propertiesOf(schema)
  const names = Object.keys(properties)
  if (isRecord(schema.additionalProperties) || isRecord(schema.patternProperties)) throw new NotStrict('properties of any name')
  const required = requiredOf(schema)
  const all = names.map((name) => {
    const property = properties[name] as Schema
    const said = strict(property, root, level + 1)
    return [name, required.includes(name) || takesNull(property, root) ? said : nullable(said)] as const
  })
  return { ...kept, properties: Object.fromEntries(all), required: names, additionalProperties: false }
}

/** Null as JSON text is another thing. */
const takesNull = (property: Schema, root: JsonSchema): boolean => !isAny(property) && acceptsNull(property, root)

function nullable(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema
  const described = typeof description === 'string' ? { description } : {}
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  if ('const' in schema || schema.$ref !== undefined) return { ...described, anyOf: [rest, { type: 'null' }] }
  if (Array.isArray(schema.enum)) {
    const types = typesOf(schema)
    return { ...schema, ...(types.length > 0 && { type: [...types, 'null'] }), enum: [...schema.enum, null] }
  }
  return { ...schema, type: [...typesOf(schema), 'null'] }
}

/** Nothing that anybody means. */
const DEEPEST = 100

function restored(value: unknown, schema: Schema, root: JsonSchema, left: number): unknown {
  if (left === 0) return value
  const target = resolved(schema, root)
  const branches = branchesOf(target)
  if (branches.length > 0) {
    const fitting = branches.map((branch) => resolved(branch, root)).find((branch) => fits(value, branch, root, left))
    return fitting ? restored(value, fitting, root, left - 1) : value
  }
  if (isAny(target)) return parsed(value)
  if (isMap(target)) return fromPairs(value, asSchema(target.additionalProperties) ?? {}, root, left)
  if (Array.isArray(value)) {
    if (!typesOf(target).includes('array')) return value
    const items = asSchema(target.items) ?? {}
    return value.map((item) => restored(item, items, root, left - 1))
  }
  return isRecord(value) && isObjectSchema(target) ? restoredObject(value, target, root, left) : value
}

function restoredObject(value: Readonly<Record<string, unknown>>, schema: Schema, root: JsonSchema, left: number): Record<string, unknown> {
  const properties = propertiesOf(schema)
  const required = requiredOf(schema)
  const result: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (item === null && property && !required.includes(name) && !takesNull(property, root)) continue
    put(result, name, property ? restored(item, property, root, left - 1) : item)
  }
  return result
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    // Text that is meant as it is.
    return value
  }
}

function fromPairs(value: unknown, schema: Schema, root: JsonSchema, left: number): unknown {
  const isPair = (item: unknown): item is { readonly name: string; readonly value: unknown } =>
    isRecord(item) && typeof item.name === 'string' && 'value' in item
  if (!Array.isArray(value) || !value.every(isPair)) return value
  const result: Record<string, unknown> = {}
  for (const { name, value: item } of value) put(result, name, restored(item, schema, root, left - 1))
  return result
}

/** `__proto__` is a name like any other. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

/** Which branch of a union a value is of: as far as types, constants and names tell. */
function fits(value: unknown, schema: Schema, root: JsonSchema, left: number): boolean {
  if (left === 0) return false
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if ('const' in schema) return schema.const === value
  if (branchesOf(schema).length > 0) return branchesOf(schema).some((branch) => fits(value, resolved(branch, root), root, left - 1))
  if (isRecord(value)) return isObjectSchema(schema) && fitsObject(value, schema, root, left)
  if (Array.isArray(value)) return typesOf(schema).includes('array') || isMap(schema)
  const type = value === null ? 'null' : typeof value
  const types = typesOf(schema)
  return types.includes(type) || (Number.isInteger(value) && types.includes('integer'))
}

function fitsObject(value: Readonly<Record<string, unknown>>, schema: Schema, root: JsonSchema, left: number): boolean {
  const properties = propertiesOf(schema)
  const required = requiredOf(schema)
  if (schema.additionalProperties === false && Object.keys(value).some((name) => !Object.hasOwn(properties, name))) return false
  return required.every((name) => {
    const property = resolved(properties[name] ?? {}, root)
    const isFixed = Array.isArray(property.enum) || 'const' in property
    return Object.hasOwn(value, name) && (!isFixed || fits(value[name], property, root, left - 1))
  })
}
