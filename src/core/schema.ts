import { RegistryError } from '../errors/index.js'
import type { InputIssue, JsonSchema, SchemaLike, StandardResult, StandardSchemaLike } from '../types/tool.js'
import { hasMoreValues } from './count-values.js'
import { formatPath } from './field-path.js'
import type { RawIssue } from './input-issues.js'
import { type Converter, ELSEWHERE, isStandardSchema, toJsonSchema } from './json-schema.js'
import { lazy } from './lazy.js'
import { looksLikeJson } from './looks-like-json.js'

export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly issues: readonly InputIssue[]
      readonly hint?: string
      /** The check stopped early because the input is too large. */
      readonly excess?: true
    }

export interface Validator {
  /**
   * Returns the input for the tool, or every problem of the input. Treats `undefined` as `{}`. Returns a promise only for invalid input or
   * an asynchronous schema. Throws or rejects only with errors of the schema itself.
   */
  validate(input: unknown): Validation | Promise<Validation>
  /** The JSON Schema of the input, frozen, without `$schema`. */
  jsonSchema(): JsonSchema
}

/** Loads the code that describes problems on first use, because most input is valid. */
export const wording: () => Wording | Promise<Wording> = lazy(() => import('./input-issues.js'))
type Wording = typeof import('./input-issues.js')

export type Check = (input: object) => Validation | Promise<Validation>

/** Kinds of schemas to accept besides those that provide their own JSON Schema. Each adds code to the bundle. */
export interface SchemaSupport {
  readonly convert?: Converter
  /** Validates by plain JSON Schema. @throws RegistryError unsupported_schema */
  readonly plain?: (json: JsonSchema) => Check
}

const validators = new WeakMap<object, Validator>()

/**
 * Creates the validator of a schema, once per schema object.
 * @throws RegistryError unsupported_schema, if the schema has no JSON Schema, or its root is not an object
 */
export function createValidator(schema: SchemaLike, { convert, plain }: SchemaSupport): Validator {
  if (typeof schema !== 'object' && typeof schema !== 'function') throw unsupported('it is not a schema')
  if (schema === null) throw unsupported('it is not a schema')
  const known = validators.get(schema)
  if (known) return known
  const json = toJsonSchema(schema, 'input', convert)
  if (json.type !== 'object')
    throw unsupported(`its root has the type ${JSON.stringify(json.type) ?? 'undefined'}, but models can send only "object"`)
  const isStandard = isStandardSchema(schema)
  const check = isStandard ? standardCheck(schema, json) : plain?.(json)
  if (!check) throw unsupported(`plain JSON Schema is not supported here: ${ELSEWHERE}`)
  const most = isStandard ? MOST_VALUES : MOST_VALUES / 2
  const validator: Validator = {
    validate: (input) =>
      isRecord(input) ? (tooMuch(input, json, most) ?? check(input)) : input === undefined ? check({}) : wrongRoot(input),
    jsonSchema: () => json,
  }
  validators.set(schema, validator)
  return validator
}

const unsupported = (detail: string): RegistryError => new RegistryError('unsupported_schema', `Cannot use the input schema: ${detail}`)

/** Maximum number of unknown fields in an object that allows none. The check stops at an object with more. */
const MOST_UNKNOWN = 1000
const MOST_WORDED = 50
/** Maximum number of fields and items in one input. A validator checks this many in about 50 ms. Plain JSON Schema allows half as many. */
const MOST_VALUES = 10_000

/**
 * Checks sizes before the regular check: validators visit a whole list before they count its items, and all fields before they report an
 * unknown one.
 */
function tooMuch(input: object, json: JsonSchema, most: number): Validation | Promise<Validation> | undefined {
  try {
    const found = excessIn(input, json, [])
    const many = !found && hasMoreValues(input, most)
    if (!found && !many) return undefined
    const { list = many && { path: '', message: `has more than ${most} fields and items: send less in one call` }, fields } = found ?? {}
    if (list) return { ok: false, issues: [list], excess: true }
    const tell = ({ describeIssues }: Wording): Validation => {
      return { ok: false, issues: describeIssues(fields ? [fields] : [], input, json), excess: true }
    }
    return Promise.resolve(wording()).then(tell)
  } catch {
    // A getter or a proxy threw. The regular check reports that.
    return undefined
  }
}

/** A list that is too long, or an object with too many unknown fields. */
interface Excess {
  readonly list?: InputIssue
  readonly fields?: RawIssue
}

function excessIn(value: unknown, schema: JsonSchema, path: readonly PropertyKey[]): Excess | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const type = Array.isArray(value) ? 'array' : 'object'
  const forms = (Array.isArray(schema.anyOf) ? schema.anyOf : [schema]) as readonly JsonSchema[]
  const { maxItems, items, properties, patternProperties, additionalProperties } = forms.find((form) => form.type === type) ?? {}
  if (Array.isArray(value)) {
    if (typeof maxItems !== 'number') return undefined
    if (value.length > maxItems)
      return { list: { path: formatPath(path), message: `expected at most ${maxItems} items, got ${value.length}` } }
    for (const [i, item] of value.entries()) {
      const found = excessIn(item, (items ?? {}) as JsonSchema, [...path, i])
      if (found) return found
    }
    return undefined
  }
  const fields = (properties ?? {}) as Record<string, JsonSchema>
  if (additionalProperties === false && patternProperties === undefined) {
    const names = Object.keys(value)
    const known = Object.keys(fields)
    const count = names.length <= MOST_UNKNOWN ? 0 : names.length - known.filter((name) => Object.hasOwn(value, name)).length
    // Take enough unknown names for the error message, even if all known fields come first.
    const keys = names.slice(0, known.length + MOST_WORDED).filter((name) => !Object.hasOwn(fields, name))
    if (count > MOST_UNKNOWN) return { fields: { code: 'unrecognized_keys', message: '', keys, count, path } }
  }
  for (const [name, field] of Object.entries(fields)) {
    const found = excessIn((value as Record<string, unknown>)[name], field, [...path, name])
    if (found) return found
  }
  return undefined
}

function standardCheck(schema: StandardSchemaLike, json: JsonSchema): Check {
  const refuse = async (issues: NonNullable<StandardResult<unknown>['issues']>, input: object): Promise<Validation> => {
    const { describeIssues } = await wording()
    return { ok: false, issues: describeIssues(issues, input, json) }
  }
  const settle = (result: StandardResult<unknown>, input: object): Validation | Promise<Validation> => {
    checkResult(result)
    return result.issues ? refuse(result.issues, input).catch(unchecked) : { ok: true, value: result.value }
  }
  return (input) => {
    try {
      const result = schema['~standard'].validate(input)
      return isThenable(result)
        ? Promise.resolve(result)
            .then((late) => settle(late, input))
            .catch(unchecked)
        : settle(result, input)
    } catch (error) {
      return unchecked(error)
    }
  }
}

const isThenable = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> => typeof value === 'object' && value !== null && 'then' in value

/** Checks the result of a third-party schema, which may return anything. @throws TypeError for a value that is not a result */
function checkResult(result: StandardResult<unknown>): void {
  const given: unknown = result
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`The input schema is broken: "validate" returned ${given === null ? 'null' : typeof given} instead of a result`)
  const issues: unknown = 'issues' in given ? given.issues : undefined
  if (issues && !(Array.isArray(issues) && issues.every((issue) => typeof issue?.message === 'string')))
    throw new TypeError('The input schema is broken: "issues" is not a list of issues with messages')
}

/** Converts a validator's stack overflow to invalid input, because large or deeply nested input causes it. @throws every other error */
export function unchecked(error: unknown): Validation {
  if (!(error instanceof RangeError)) throw error
  return { ok: false, issues: [{ path: '', message: 'is too large or too deeply nested to check: send less in one call' }] }
}

function wrongRoot(input: unknown): Validation {
  const type = input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input
  const issues = [{ path: '', message: `expected object, got ${type}` }]
  if (typeof input !== 'string' || !looksLikeJson(input)) return { ok: false, issues }
  return { ok: false, issues, hint: 'Pass the input as an object, not as a JSON string.' }
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
