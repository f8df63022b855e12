import * as z from 'zod/mini'
import type { StandardSchemaLike } from '../types/tool.js'
import { type Converter, TARGET } from './json-schema.js'

/**
 * Converts schemas of every copy and variant of zod, because `zod/mini` and early versions of zod 4 do not provide their JSON Schema
 * themselves.
 */
export const fromZod: Converter = (schema, side) => (isZod(schema) ? z.toJSONSchema(schema, { io: side, target: TARGET }) : undefined)

/** Recognises zod by its internal property, as zod's own converter does. */
function isZod(schema: StandardSchemaLike): schema is StandardSchemaLike & z.core.$ZodType {
  return '_zod' in schema
}
