import { plainCheck } from './plain-schema.js'
import type { SchemaSupport } from './schema.js'
import { fromZod } from './zod-schema.js'

/** For plain JSON Schema, and zod of every flavour. */
export const everySchema: SchemaSupport = { convert: fromZod, plain: plainCheck }
