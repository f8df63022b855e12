import type { JsonSchema, StandardSchemaLike } from '../types/tool.js'
import type { RawIssue } from './input-issues.js'

// Schemas of the built-in tools. They are part of every bundle, so they use no schema library. A field consists of the JSON Schema for the
// model and the function that validates a value.

/** The schema of one value in an input. The value is required unless `optional` or `byDefault` is set. */
export interface Field<T> {
  readonly json: JsonSchema
  readonly optional?: boolean
  readonly byDefault?: T
  /** Returns the value for the tool. If it adds an issue, the returned value is meaningless. */
  read(value: unknown, issues: RawIssue[]): T
}

export interface OptionalField<T> extends Field<T | undefined> {
  readonly optional: true
}

/** Checks a value of the right type. Returns the problem, if any. */
export type Check<T> = (value: T) => Partial<RawIssue> | undefined

type Fields = Readonly<Record<string, Field<unknown>>>
export type Read<F> = F extends Field<infer T> ? T : never
type Optional<F extends Fields> = { [K in keyof F]: F[K] extends { readonly optional: true } ? K : never }[keyof F]
type ReadAll<F extends Fields> = { [K in Exclude<keyof F, Optional<F>>]: Read<F[K]> } & { [K in Optional<F>]?: Read<F[K]> }

/** Placeholder for a message. `describeIssues` replaces it, like zod's default messages. */
const MESSAGE = 'Invalid input'

const issue = (found: Partial<RawIssue>): RawIssue => ({ message: MESSAGE, ...found })

const wrongType = (expected: string): RawIssue => issue({ code: 'invalid_type', expected })

function field<T>(json: JsonSchema, description: string | undefined, read: Field<T>['read']): Field<T> {
  return { json: description === undefined ? json : { ...json, description }, read }
}

/** A text. `told` has JSON Schema keywords that describe `checks`. If a text is too long, the remaining checks are skipped. */
export function text(description?: string, told?: JsonSchema, checks: readonly Check<string>[] = []): Field<string> {
  return field({ type: 'string', ...told }, description, (value, issues) => {
    if (typeof value !== 'string') issues.push(wrongType('string'))
    else
      for (const check of checks) {
        const found = check(value)
        if (found) issues.push(issue(found))
        if (found && found.maximum !== undefined) break
      }
    return value as string
  })
}

/** A safe integer. */
export function whole(description?: string, { min, max }: { readonly min?: number; readonly max?: number } = {}): Field<number> {
  const json = { type: 'integer', minimum: min ?? Number.MIN_SAFE_INTEGER, maximum: max ?? Number.MAX_SAFE_INTEGER }
  const least = [Number.MIN_SAFE_INTEGER, ...(min === undefined ? [] : [min])]
  const most = [Number.MAX_SAFE_INTEGER, ...(max === undefined ? [] : [max])]
  return field(json, description, (value, issues) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) issues.push(wrongType('number'))
    else if (!Number.isInteger(value)) issues.push(wrongType('int'))
    else {
      for (const minimum of least) if (value < minimum) issues.push(issue({ code: 'too_small', minimum }))
      for (const maximum of most) if (value > maximum) issues.push(issue({ code: 'too_big', maximum }))
    }
    return value as number
  })
}

export function yes(description?: string): Field<boolean> {
  return field({ type: 'boolean' }, description, (value, issues) => {
    if (typeof value !== 'boolean') issues.push(wrongType('boolean'))
    return value as boolean
  })
}

export function oneOf<const T extends string>(values: readonly T[], description?: string): Field<T> {
  return field({ type: 'string', enum: values }, description, (value, issues) => {
    if (!values.includes(value as T)) issues.push(issue({ code: 'invalid_value', values }))
    return value as T
  })
}

/** Any value, optionally with a custom check. */
export const anything = (check?: Field<unknown>['read']): Field<unknown> => field({}, undefined, check ?? ((value) => value))

export function list<T>(
  items: Field<T>,
  { min, max, description }: { readonly min?: number; readonly max?: number; readonly description?: string } = {},
): Field<T[]> {
  const bounds = { ...(min !== undefined && { minItems: min }), ...(max !== undefined && { maxItems: max }) }
  return field({ ...bounds, type: 'array', items: items.json }, description, (value, issues) => {
    if (!Array.isArray(value)) {
      issues.push(wrongType('array'))
      return value as T[]
    }
    const result = Array.from(value, (item: unknown, i) => within(i, items, item, issues))
    const origin = 'array'
    if (min !== undefined && value.length < min) issues.push(issue({ code: 'too_small', origin, minimum: min }))
    if (max !== undefined && value.length > max) issues.push(issue({ code: 'too_big', origin, maximum: max }))
    return result
  })
}

/** Accepts either of two forms. Tries the first form first. */
export function either<A, B>(first: Field<A>, second: Field<B>, description?: string): Field<A | B> {
  return field({ anyOf: [first.json, second.json] }, description, (value, issues) => {
    const errors: RawIssue[][] = []
    for (const form of [first, second]) {
      const found: RawIssue[] = []
      const result = form.read(value, found)
      if (found.length === 0) return result
      errors.push(found)
    }
    issues.push(issue({ code: 'invalid_union', errors }))
    return value as A | B
  })
}

/** An object with any field names that `names` accepts. */
export function record<T>(names: Field<string>, values: Field<T>, description?: string): Field<Record<string, T>> {
  const json = { type: 'object', propertyNames: names.json, additionalProperties: values.json }
  return field(json, description, (value, issues) => {
    if (!isPlain(value)) {
      issues.push(wrongType('record'))
      return value as Record<string, T>
    }
    const result: Record<string, T> = {}
    for (const key of Object.keys(value)) {
      // Assigning to this name would set the prototype of `result`.
      if (key === '__proto__') continue
      const found: RawIssue[] = []
      names.read(key, found)
      if (found.length === 0) result[key] = within(key, values, value[key], issues)
      else issues.push(issue({ code: 'invalid_key', issues: found, path: [key] }))
    }
    return result
  })
}

/** Whether a value is a plain object. Class instances are rejected: their content may not be in own fields. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.hasOwn(prototype as object, 'isPrototypeOf')
}

/** An object with exactly these fields. */
export function object<const F extends Fields>(fields: F, description?: string): Field<ReadAll<F>> & StandardSchemaLike<ReadAll<F>> {
  const all = Object.entries<Field<unknown>>(fields)
  const required = all.filter(([, { optional, byDefault }]) => !optional && byDefault === undefined).map(([name]) => name)
  const properties = Object.fromEntries(all.map(([name, { json }]) => [name, json]))
  const json = { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
  const own = field<ReadAll<F>>(json, description, (value, issues) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      issues.push(wrongType('object'))
      return value as ReadAll<F>
    }
    const given = value as Record<string, unknown>
    const result: Record<string, unknown> = {}
    for (const [name, part] of all) {
      const one = given[name]
      if (one !== undefined || !(part.optional || part.byDefault !== undefined)) result[name] = within(name, part, one, issues)
      else if (part.byDefault !== undefined) result[name] = Array.isArray(part.byDefault) ? [...part.byDefault] : part.byDefault
      else if (name in given) result[name] = undefined
    }
    const keys: string[] = []
    for (const key in given) if (!Object.hasOwn(fields, key)) keys.push(key)
    if (keys.length > 0) issues.push(issue({ code: 'unrecognized_keys', keys }))
    return result as ReadAll<F>
  })
  return { ...own, '~standard': standard(own) }
}

function standard<T>({ json, read }: Field<T>): StandardSchemaLike<T>['~standard'] {
  return {
    version: 1,
    vendor: 'toolport',
    validate: (input) => {
      const issues: RawIssue[] = []
      const value = read(input, issues)
      return issues.length === 0 ? { value } : { issues }
    },
    jsonSchema: { input: () => json },
  }
}

/** Reads a nested value, and prepends `key` to the paths of its issues. */
function within<T>(key: PropertyKey, part: Field<T>, value: unknown, issues: RawIssue[]): T {
  const before = issues.length
  const result = part.read(value, issues)
  for (let i = before; i < issues.length; i++) {
    const found = issues[i] as RawIssue
    issues[i] = { ...found, path: [key, ...(found.path ?? [])] }
  }
  return result
}

export const optional = <T>({ json, read }: Field<T>): OptionalField<T> => ({ json, read, optional: true })

export const byDefault = <T>({ json, read }: Field<T>, value: T): Field<T> => ({
  json: { default: value, ...json },
  read,
  byDefault: value,
})
