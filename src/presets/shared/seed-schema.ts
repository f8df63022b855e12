import type { JsonSchema, StandardSchemaLike } from '../../types/tool.js'

/** The fields of an input, before type checks. */
export type Args = { readonly [name: string]: unknown }

/** Reports invalid input. `name`: the field, or `''` for the input as a whole. */
export type Refuse = (name: string, message: string) => void

/**
 * Creates a schema of an original agent: the documented JSON Schema for the model, verbatim, and the agent's own way to read fields, which
 * often differs from that schema. The result of `read` is dropped after a call of `refuse`.
 */
export function seedSchema<Input>(schema: JsonSchema, read: (args: Args, refuse: Refuse) => Input): StandardSchemaLike<Input> {
  return {
    '~standard': {
      version: 1,
      vendor: 'toolport',
      jsonSchema: { input: () => schema },
      validate: (input) => {
        const issues: { readonly message: string; readonly path: readonly string[] }[] = []
        const value = read(input as Args, (name, message) => issues.push({ message, path: name === '' ? [] : [name] }))
        return issues.length > 0 ? { issues } : { value }
      },
    },
  }
}

// A field of the wrong type counts as absent, as in the original agents.

export const stringOf = (args: Args, name: string): string | undefined => typed(args, name, 'string') as string | undefined
export const booleanOf = (args: Args, name: string): boolean | undefined => typed(args, name, 'boolean') as boolean | undefined

/** A finite number. */
export function numberOf(args: Args, name: string): number | undefined {
  const value = typed(args, name, 'number') as number | undefined
  return value === undefined || Number.isFinite(value) ? value : undefined
}

/** An object that is not an array. */
export function recordOf(args: Args, name: string): Args | undefined {
  const value = typed(args, name, 'object')
  return value === null || value === undefined || Array.isArray(value) ? undefined : (value as Args)
}

function typed(args: Args, name: string, type: 'string' | 'boolean' | 'number' | 'object'): unknown {
  const value = Object.hasOwn(args ?? {}, name) ? args[name] : undefined
  return typeof value === type ? value : undefined
}
