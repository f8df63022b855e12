import { RegistryError } from '../errors/index.js'
import type { JsonSchema, SchemaLike, StandardSchemaLike } from '../types/tool.js'

export type Side = 'input' | 'output'

/** Converts a schema that does not provide its JSON Schema itself. Returns undefined for schemas of other libraries. */
export type Converter = (schema: StandardSchemaLike, side: Side) => object | undefined

export const TARGET = 'draft-2020-12'

/** Advice for a schema that this registry does not support. */
export const ELSEWHERE = 'use createRuntime of "toolport", which reads more schemas'

/** Whether a schema follows Standard Schema, like those of zod, valibot and arktype. False for plain JSON Schema. */
export function isStandardSchema(schema: SchemaLike): schema is StandardSchemaLike {
  return '~standard' in schema && typeof schema['~standard'] === 'object' && schema['~standard'] !== null
}

/**
 * Converts a schema to frozen JSON Schema (draft 2020-12), of the input or of the output.
 * @throws RegistryError unsupported_schema, if the library cannot convert the schema or the result is not JSON
 */
export function toJsonSchema(schema: SchemaLike, side: Side, converter?: Converter): JsonSchema {
  let json: JsonSchema
  try {
    // Copy, so that later changes by the author have no effect.
    json = JSON.parse(JSON.stringify(isStandardSchema(schema) ? convert(schema, side, converter) : schema)) as JsonSchema
  } catch (error) {
    throw new RegistryError(
      'unsupported_schema',
      `Cannot use the ${side} schema: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const { $schema: _, ...rest } = json
  return deepFreeze(rest)
}

function convert(schema: StandardSchemaLike, side: Side, converter: Converter | undefined): object {
  const standard: { readonly [S in Side]?: (options: { readonly target: string }) => JsonSchema } | undefined =
    schema['~standard'].jsonSchema
  const json = standard?.[side]?.({ target: TARGET }) ?? converter?.(schema, side)
  if (json) return json
  const remedy = converter ? 'pass a schema of zod 4, or plain JSON Schema' : ELSEWHERE
  throw new Error(`"${schema['~standard'].vendor}" does not give JSON Schema here: ${remedy}`)
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const child of Object.values(value)) deepFreeze(child)
  return Object.freeze(value)
}
