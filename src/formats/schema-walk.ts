import { resolvePointer } from '../core/schema-fields.js'
import { isRecord } from '../ops/is-record.js'
import type { JsonSchema } from '../types/tool.js'

export type Schema = Readonly<Record<string, unknown>>

export const asSchema = (value: unknown): Schema | undefined => (isRecord(value) ? value : undefined)

export const schemasOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isRecord) : [])

export const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(asSchema(schema.properties) ?? {}).flatMap(([name, property]) =>
      isRecord(property) ? [[name, property]] : property === true ? [[name, {}]] : [],
    ),
  )

export const requiredOf = (schema: Schema): readonly string[] =>
  Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : []

/** Returns the branches of `anyOf` or `oneOf`. */
export const branchesOf = (schema: Schema): readonly Schema[] => schemasOf(schema.anyOf ?? schema.oneOf)

export const typesOf = (schema: Schema): readonly unknown[] =>
  Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type]

export const isObjectSchema = (schema: Schema): boolean => typesOf(schema).includes('object') || isRecord(schema.properties)

const MOST_HOPS = 32

/** Returns the target of a schema's local `$ref`, or the schema itself if there is no target. */
export function resolved(schema: Schema, root: JsonSchema, hops: number = MOST_HOPS): Schema {
  const target = typeof schema.$ref === 'string' && hops > 0 ? resolvePointer(root, schema.$ref) : undefined
  return target ? resolved(target, root, hops - 1) : schema
}

export function acceptsNull(schema: Schema, root: JsonSchema, depth: number = 8): boolean {
  if (depth === 0) return false
  const target = resolved(schema, root)
  if (Array.isArray(target.enum)) return target.enum.includes(null)
  if ('const' in target) return target.const === null
  const branches = branchesOf(target)
  if (branches.length > 0) return branches.some((branch) => acceptsNull(branch, root, depth - 1))
  const types = typesOf(target)
  return types.length === 0 || types.includes('null')
}
