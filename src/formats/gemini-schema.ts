import type { JsonSchema } from '../types/tool.js'
import { asSchema, branchesOf, isRecord, propertiesOf, type Schema, schemasOf, typesOf } from './schema-walk.js'

/** What `parametersJsonSchema` takes (reference of the Gemini API, `Schema` and "JSON Schema support"). */
const KEPT = new Set(['type', 'title', 'description', 'format', 'enum', 'minItems', 'maxItems', 'minimum', 'maximum', 'required', '$ref'])

/** The schema with the keywords that Gemini knows; what is left out, our own validation still asks for. */
export function toGeminiSchema(root: JsonSchema): JsonSchema {
  const defs = asSchema(root.$defs)
  const own = defs && Object.fromEntries(Object.entries(defs).map(([name, part]) => [name, rendered(asSchema(part) ?? {})]))
  return { ...rendered(root), ...(own && { $defs: own }) }
}

function rendered(schema: Schema): JsonSchema {
  const kept: Record<string, unknown> = Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEPT.has(keyword)))
  if ('const' in schema) kept.enum = [schema.const]
  // Of text only: numbers in it are refused.
  if (Array.isArray(kept.enum) && !kept.enum.every((value) => typeof value === 'string')) delete kept.enum
  const branches = branchesOf(schema)
  if (branches.length > 0) kept.anyOf = branches.map(rendered)
  for (const part of schemasOf(schema.allOf)) Object.assign(kept, rendered(part))
  const items = asSchema(schema.items)
  if (items) kept.items = rendered(items)
  else if (typesOf(schema).includes('array')) kept.items = {}
  if (isRecord(schema.properties))
    kept.properties = Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, property]) => [name, rendered(property)]))
  if (schema.additionalProperties === false) kept.additionalProperties = false
  return kept
}
