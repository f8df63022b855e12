import { RegistryError } from '../errors/index.js'
import type { JsonSchema } from '../types/tool.js'
import { decodeToken, record, resolvePointer } from './schema-fields.js'

/** Keywords that hold schemas: one, or a list. Everything else is data, where `pattern` is a word like any other. */
export const SCHEMAS: readonly string[] = [
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
]
/** Keywords that hold schemas by name. */
export const NAMED: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']

const MOST_WAYS = 16

/**
 * What would only fail with the first call: patterns that are none or cannot be bounded, and references that lead nowhere in the schema itself.
 * @throws RegistryError unsupported_schema
 */
export function checkPlainSchema(schema: JsonSchema): void {
  check(schema, schema)
}

function check(value: unknown, base: JsonSchema): void {
  if (Array.isArray(value)) {
    for (const schema of value) check(schema, base)
    return
  }
  const schema = record(value)
  if (!schema) return
  // References are relative to the nearest `$id`.
  const root = typeof schema.$id === 'string' ? schema : base
  if (typeof schema.pattern === 'string') checkPattern(schema.pattern)
  for (const pattern of Object.keys(record(schema.patternProperties) ?? {})) checkPattern(pattern)
  if (typeof schema.$ref === 'string') checkReference(schema.$ref, root)
  for (const keyword of SCHEMAS) check(schema[keyword], root)
  for (const keyword of NAMED) for (const named of Object.values(record(schema[keyword]) ?? {})) check(named, root)
}

function checkPattern(pattern: string): void {
  try {
    new RegExp(pattern, 'u')
  } catch {
    throw unusable(`the pattern ${JSON.stringify(pattern)} is no regular expression (with the flag u)`)
  }
  // RE2, which is linear, has neither: the host's engine has to do, and may take time without end.
  const bare = pattern.replace(/\\[^1-9k]/g, '_').replace(/\[[^\]]*\]/g, '_')
  if (/\(\?<?[=!]|\\[1-9k]/.test(bare) && (/\)[*+{]/.test(bare) || bare.split('|').length > MOST_WAYS)) {
    const what = 'may take time without end: leave out its look-around and back-references, or repeated groups and alternatives'
    throw unusable(`the pattern ${JSON.stringify(pattern)} ${what}`)
  }
}

/** Only pointers: anchors and addresses are the validator's to resolve. A target may be `true`, which is a schema too. */
function checkReference(reference: string, root: JsonSchema): void {
  if (!reference.startsWith('#/')) return
  const [, parent = '', last = ''] = /^(.*)\/([^/]*)$/s.exec(reference) ?? []
  try {
    const holder = resolvePointer(root, parent)
    const target = holder && Object.hasOwn(holder, decodeToken(last)) ? holder[decodeToken(last)] : undefined
    if (typeof target === 'boolean' || record(target)) return
  } catch {
    // Not even a pointer: a `%` without its two digits.
  }
  throw unusable(`"$ref" leads nowhere: ${JSON.stringify(reference)}`)
}

function unusable(detail: string): RegistryError {
  return new RegistryError('unsupported_schema', `Cannot use the input schema: ${detail}`)
}
