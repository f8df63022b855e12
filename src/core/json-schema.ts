import * as z from 'zod/mini'
import { RegistryError } from '../errors/index.js'
import type { JsonSchema, SchemaLike, StandardSchemaLike } from '../types/tool.js'

type Side = 'input' | 'output'

const TARGET = 'draft-2020-12'

/** True for zod, valibot, arktype and the like; false for plain JSON Schema. */
export function isStandardSchema(schema: SchemaLike): schema is StandardSchemaLike {
  return '~standard' in schema && typeof schema['~standard'] === 'object' && schema['~standard'] !== null
}

/**
 * The schema as frozen JSON Schema (draft 2020-12) of what goes in, or comes out.
 * @throws RegistryError unsupported_schema, when the library cannot tell or the result is not JSON
 */
export function toJsonSchema(schema: SchemaLike, side: Side): JsonSchema {
  let json: JsonSchema
  try {
    // A copy: what the author does with the object later changes nothing here.
    json = JSON.parse(JSON.stringify(isStandardSchema(schema) ? convert(schema, side) : schema)) as JsonSchema
  } catch (error) {
    throw new RegistryError(
      'unsupported_schema',
      `Cannot use the ${side} schema: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const { $schema: _, ...rest } = json
  return deepFreeze(rest)
}

function convert(schema: StandardSchemaLike, side: Side): JsonSchema {
  const standard: { readonly [S in Side]?: (options: { readonly target: string }) => JsonSchema } | undefined =
    schema['~standard'].jsonSchema
  const own = standard?.[side]
  if (own) return own({ target: TARGET })
  if (isZod(schema)) return z.toJSONSchema(schema, { io: side, target: TARGET })
  throw new Error(`"${schema['~standard'].vendor}" does not give JSON Schema here: pass a schema of zod 4, or plain JSON Schema`)
}

/** zod 4 of any copy and flavour: it is recognised by its inner part, as zod's own converter does. */
function isZod(schema: StandardSchemaLike): schema is StandardSchemaLike & z.core.$ZodType {
  return '_zod' in schema
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const child of Object.values(value)) deepFreeze(child)
  return Object.freeze(value)
}
