import { RegistryError } from '../errors/index.js'
import type { JsonSchema } from '../types/tool.js'
import { decodeToken, record, resolvePointer } from './schema-fields.js'

/** Keywords whose value is a schema or a list of schemas. Values of other keywords are data, where a key `pattern` means nothing. */
export const SCHEMAS: readonly string[] = [
  ...[
    'items',
    'additionalItems',
    'prefixItems',
    'contains',
    'additionalProperties',
    'propertyNames',
    'unevaluatedItems',
    'unevaluatedProperties',
  ],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
]
/** Keywords whose value maps names to schemas. */
export const NAMED: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']

/**
 * Finds mistakes that would otherwise appear only with the first call: invalid patterns, and local references without a target.
 * @throws RegistryError unsupported_schema
 */
export function checkPlainSchema(schema: JsonSchema): void {
  check(schema, schema, new Set())
}

function check(value: unknown, base: JsonSchema, seen: Set<unknown>): void {
  if (Array.isArray(value)) {
    for (const schema of value) check(schema, base, seen)
    return
  }
  const schema = record(value)
  if (!schema || seen.has(schema)) return
  seen.add(schema)
  // References are relative to the nearest `$id`.
  const root = typeof schema.$id === 'string' ? schema : base
  if (typeof schema.pattern === 'string') checkPattern(schema.pattern)
  for (const pattern of Object.keys(record(schema.patternProperties) ?? {})) checkPattern(pattern)
  if (typeof schema.$ref === 'string') check(referred(schema.$ref, root), root, seen)
  for (const keyword of SCHEMAS) check(schema[keyword], root, seen)
  for (const keyword of NAMED) for (const named of Object.values(record(schema[keyword]) ?? {})) check(named, root, seen)
}

function checkPattern(pattern: string): void {
  try {
    new RegExp(pattern, 'u')
  } catch {
    throw unusable(`the pattern ${JSON.stringify(pattern)} is not a valid regular expression (with the flag u)`)
  }
}

/**
 * Returns the target of a reference. Resolves only JSON pointers, because the validator resolves anchors and URLs. A target may be `true`,
 * which is a valid schema.
 */
function referred(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#/')) return undefined
  const target = targetOf(reference, root)
  if (typeof target === 'boolean' || record(target)) return target
  throw unusable(`"$ref" has no target: ${JSON.stringify(reference)}`)
}

/** Returns the target of a JSON pointer; undefined if the target does not exist. */
export function targetOf(reference: string, root: JsonSchema): unknown {
  const [, parent = '', last = ''] = /^(.*)\/([^/]*)$/s.exec(reference) ?? []
  try {
    const holder = resolvePointer(root, parent)
    return holder && Object.hasOwn(holder, decodeToken(last)) ? holder[decodeToken(last)] : undefined
  } catch {
    // The pointer is invalid: it contains a `%` without two hexadecimal digits.
    return undefined
  }
}

function unusable(detail: string): RegistryError {
  return new RegistryError('unsupported_schema', `Cannot use the input schema: ${detail}`)
}
