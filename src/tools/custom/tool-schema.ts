import { checkPlainSchema } from '../../core/check-plain-schema.js'
import { record } from '../../core/schema-fields.js'
import { visibleText } from '../../ops/visible-text.js'
import type { JsonSchema } from '../../types/tool.js'

/** Maximum length of a schema's JSON text, in UTF-16 units. */
const LONGEST_SCHEMA = 64 * 1024

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const ONE = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
]
const LISTS = ['prefixItems', 'allOf', 'anyOf', 'oneOf']
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains']
const TEXTS = ['pattern', 'format', 'description', 'title', '$ref', '$id']

/**
 * Converts the declared schema of a tool to the form for models. Without a declared schema, returns an object schema that allows any
 * fields.
 *
 * @throws TypeError, RegistryError with the problem of the schema
 */
export function readToolSchema(declared: unknown): JsonSchema {
  if (declared === undefined || declared === null) return { type: 'object', properties: {}, additionalProperties: true }
  const given = record(declared)
  if (!given) throw wrong('inputSchema', 'is not an object')
  if (given.type !== undefined && given.type !== 'object') throw wrong('inputSchema.type', 'is not "object"')
  const json = JSON.stringify(given, visible)
  if (json.length > LONGEST_SCHEMA) throw wrong('inputSchema', `is longer than ${LONGEST_SCHEMA} characters of JSON`)
  const schema = { ...(JSON.parse(json) as JsonSchema), type: 'object', ...(given.properties === undefined && { properties: {} }) }
  check(schema, 'inputSchema', 0)
  checkPlainSchema(schema)
  return schema
}

const DEEPEST = 50

/** The keywords with text for people. Calls must match other text exactly, such as the values of `enum`. */
const PROSE: ReadonlySet<string> = new Set(['description', 'title', '$comment'])

/** Marks the characters that would control a terminal or reorder the text. */
const visible = (keyword: string, value: unknown): unknown => (PROSE.has(keyword) && typeof value === 'string' ? visibleText(value) : value)

const wrong = (path: string, message: string): TypeError => new TypeError(`${path} ${message}`)

function check(value: unknown, path: string, depth: number): void {
  if (typeof value === 'boolean') return
  const schema = record(value)
  if (!schema) throw wrong(path, 'is not a schema')
  if (depth > DEEPEST) throw wrong(path, `is nested more than ${DEEPEST} levels deep`)
  checkWords(schema, path)
  for (const keyword of ONE) if (schema[keyword] !== undefined) check(schema[keyword], `${path}.${keyword}`, depth + 1)
  for (const keyword of LISTS) {
    const list = schema[keyword]
    if (list === undefined) continue
    if (!Array.isArray(list)) throw wrong(`${path}.${keyword}`, 'is not an array')
    for (const [index, each] of list.entries()) check(each, `${path}.${keyword}[${index}]`, depth + 1)
  }
  for (const keyword of NAMED) {
    if (schema[keyword] === undefined) continue
    const named = record(schema[keyword])
    if (!named) throw wrong(`${path}.${keyword}`, 'is not an object')
    for (const [name, each] of Object.entries(named)) check(each, `${path}.${keyword}.${name}`, depth + 1)
  }
}

function checkWords(schema: Readonly<Record<string, unknown>>, path: string): void {
  const { type, required } = schema
  const types = Array.isArray(type) ? type : [type]
  if (type !== undefined && !types.every((each) => TYPES.has(each))) throw wrong(`${path}.type`, `is not a type: ${JSON.stringify(type)}`)
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string')))
    throw wrong(`${path}.required`, 'is not a list of names')
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) throw wrong(`${path}.enum`, 'is not an array')
  const checks = [
    [NUMBERS, 'a number', (value: unknown) => typeof value === 'number'],
    [COUNTS, 'a whole number from 0 up', (value: unknown) => Number.isInteger(value) && (value as number) >= 0],
    [TEXTS, 'a text', (value: unknown) => typeof value === 'string'],
  ] as const
  for (const [keywords, what, fits] of checks) {
    for (const keyword of keywords)
      if (schema[keyword] !== undefined && !fits(schema[keyword])) throw wrong(`${path}.${keyword}`, `is not ${what}`)
  }
}
