import type { InputIssue, JsonSchema } from '../types/tool.js'
import { checkPlainSchema } from './check-plain-schema.js'
import { type Check, type SchemaSupport, unchecked, type Validation } from './schema.js'
import { type ToolRegistry, type ToolRegistryOptions, toolRegistry } from './tool-registry.js'
import { fromZod } from './zod-schema.js'

/** An empty registry. `available`: the ports that its manifest counts on. */
export const createToolRegistry = (options: ToolRegistryOptions = {}): ToolRegistry => toolRegistry(options, everySchema)

/** For plain JSON Schema, and zod of every flavour. */
export const everySchema: SchemaSupport = { convert: fromZod, plain: plainCheck }

/** The library is loaded with the first call; later calls need no promise. */
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
    // As it would arrive in a request: no getters, no undefined fields, nothing that is not JSON.
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
