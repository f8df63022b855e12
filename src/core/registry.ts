import type { InputIssue, JsonSchema } from '../types/tool.js'
import { checkPlainSchema } from './check-plain-schema.js'
import { type Check, type SchemaSupport, unchecked, type Validation } from './schema.js'
import { type ToolRegistry, type ToolRegistryOptions, toolRegistry } from './tool-registry.js'
import { fromZod } from './zod-schema.js'

/** Creates an empty registry. `available` lists the ports that the registry's manifests assume to exist. */
export const createToolRegistry = (options: ToolRegistryOptions = {}): ToolRegistry => toolRegistry(options, everySchema)

/** Supports plain JSON Schema, and zod in every variant. */
export const everySchema: SchemaSupport = { convert: fromZod, plain: plainCheck }

/** Creates the check of a plain JSON Schema. The first call loads the validator; later calls return without a promise. */
function plainCheck(json: JsonSchema): Check {
  checkPlainSchema(json)
  let loaded: ((input: unknown) => readonly InputIssue[]) | undefined
  const settle = (issues: readonly InputIssue[], value: unknown): Validation =>
    issues.length === 0 ? { ok: true, value } : { ok: false, issues }
  const load = async (value: unknown): Promise<Validation> => {
    const { createPlainCheck } = await import('./plain-check.js')
    loaded ??= createPlainCheck(json)
    return checked(loaded, value)
  }
  const checked = (check: NonNullable<typeof loaded>, value: unknown): Validation => {
    try {
      return settle(check(value), value)
    } catch (error) {
      return unchecked(error)
    }
  }
  return (input) => {
    // Convert the input to the form of a request: no getters, no undefined fields, only JSON.
    let value: unknown
    try {
      value = JSON.parse(JSON.stringify(input))
    } catch (error) {
      if (error instanceof RangeError) return unchecked(error)
      return settle([{ path: '', message: `is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}` }], undefined)
    }
    return loaded ? checked(loaded, value) : load(value)
  }
}
