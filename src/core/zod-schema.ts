import * as z from 'zod/mini'
import type { StandardSchemaLike } from '../types/tool.js'
import { type Converter, TARGET } from './json-schema.js'

/** For zod's schemas of every copy and flavour: those of `zod/mini`, and of the first versions of zod 4, do not tell it themselves. */
export const fromZod: Converter = (schema, side) => (isZod(schema) ? z.toJSONSchema(schema, { io: side, target: TARGET }) : undefined)

/** By its inner part, as zod's own converter does. */
function isZod(schema: StandardSchemaLike): schema is StandardSchemaLike & z.core.$ZodType {
  return '_zod' in schema
}
