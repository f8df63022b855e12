import { hasLoneSurrogate } from '../../ops/utf8.js'
import type { JsonSchema, StandardSchemaLike } from '../../types/tool.js'
import { type Args, seedSchema } from '../shared/seed-schema.js'

/** How to read one field. */
export interface Field<T> {
  /** @throws Mismatch */
  readonly read: (value: unknown) => T
  /** The value for an absent or null field. Without it, the field is required. */
  readonly absent?: () => T
  /** Another accepted name of the field. */
  readonly alias?: string
}

type Fields = Readonly<Record<string, Field<unknown>>>
export type Struct<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }

/**
 * The error for input of the wrong shape. Its message is that of serde, which the original agent uses. Only the first problem is reported.
 */
class Mismatch extends Error {}

/** Creates a schema that shows the documented JSON Schema to the model and validates like serde. Ignores unknown fields. */
export function serdeSchema<F extends Fields>(schema: JsonSchema, fields: F): StandardSchemaLike<Struct<F>> {
  const { read } = struct(fields)
  return seedSchema(schema, (args, refuse) => {
    try {
      return read(args)
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      refuse('', error.message)
      return {} as Struct<F>
    }
  })
}

/** Reads an object. First reads the present fields, then reports missing fields, both in the declared order. */
export function struct<F extends Fields>(fields: F): Field<Struct<F>> {
  return {
    read(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidType(value, 'a map')
      const args = value as Args
      const known: Record<string, unknown> = {}
      for (const [name, field] of Object.entries(fields)) {
        const given = fieldOf(args, name, field)
        if (given !== undefined) known[name] = field.read(given)
      }
      for (const [name, { absent }] of Object.entries(fields)) {
        if (Object.hasOwn(known, name)) continue
        if (!absent) throw new Mismatch(`missing field \`${name}\``)
        known[name] = absent()
      }
      return known as Struct<F>
    },
  }
}

/**
 * Returns the value of a field under either of its names; undefined if the field is absent. For an optional field, null counts as absent.
 */
function fieldOf(args: Args, name: string, { absent, alias = name }: Field<unknown>): unknown {
  const [given, ...more] = [...new Set([name, alias])]
    .map((key) => (Object.hasOwn(args, key) ? args[key] : undefined))
    .filter((value) => value !== undefined && !(value === null && absent))
  if (more.length > 0) throw new Mismatch(`duplicate field \`${name}\``)
  return given
}

/** Text. Rejects a lone surrogate, as serde does. */
export const text: Field<string> = {
  read(value) {
    if (typeof value !== 'string') throw invalidType(value, 'a string')
    if (hasLoneSurrogate(value)) throw new Mismatch('lone leading surrogate in hex escape')
    return value
  },
}

export const bool: Field<boolean> = {
  read(value) {
    if (typeof value !== 'boolean') throw invalidType(value, 'a boolean')
    return value
  },
}

/** A non-negative integer. */
export const unsigned: Field<number> = {
  read(value) {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw invalidType(value, 'u64')
    if (value < 0) throw new Mismatch(`invalid value: integer \`${value}\`, expected u64`)
    return value
  },
}

export const float: Field<number> = {
  read(value) {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw invalidType(value, 'f64')
    return value
  },
}

export function sequence<T>(element: Field<T>): Field<readonly T[]> {
  return {
    read(value) {
      if (!Array.isArray(value)) throw invalidType(value, 'a sequence')
      return Array.from(value, (each) => element.read(each))
    },
  }
}

/** A field that may be absent or null. */
export function optional<T>(field: Field<T>, fallback: T): Field<T>
export function optional<T>(field: Field<T>): Field<T | undefined>
export function optional<T>(field: Field<T>, fallback?: T): Field<T | undefined> {
  return { ...field, absent: () => fallback }
}

const invalidType = (value: unknown, expected: string): Mismatch => new Mismatch(`invalid type: ${described(value)}, expected ${expected}`)

function described(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``
  if (typeof value === 'boolean') return `boolean \`${value}\``
  return Array.isArray(value) ? 'sequence' : 'map'
}
