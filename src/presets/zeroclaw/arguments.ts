import { InputError } from '../../errors/index.js'
import type { JsonSchema, StandardSchemaLike } from '../../types/tool.js'
import { type Args, booleanOf, numberOf, recordOf, seedSchema, stringOf } from '../shared/seed-schema.js'

export type { Args } from '../shared/seed-schema.js'

/** Reads arguments as documented. A field of the wrong type counts as absent; nothing is converted. */

/** Reads a required string argument. @throws InputError `Missing 'name' parameter`, or `missing` */
export function stringParam(args: Args, name: string, missing: string = missingParam(name)): string {
  const value = stringOf(args, name)
  if (value === undefined) throw new InputError('invalid_input', missing, { issues: [{ path: name, message: missing }] })
  return value
}

/** Reads an optional string argument; undefined if it is missing or not a string. */
export function optionalStringParam(args: Args, name: string): string | undefined {
  return stringOf(args, name)
}

/** Reads a finite number argument, or returns the default. */
export function numberParam(args: Args, name: string, byDefault: number): number {
  return numberOf(args, name) ?? byDefault
}

/** Reads a boolean argument; returns the default if it is missing or not a boolean. */
export function booleanParam(args: Args, name: string, byDefault: boolean): boolean {
  return booleanOf(args, name) ?? byDefault
}

/** Reads a required object argument; a list is invalid. @throws InputError `Missing object parameter`, or `missing` */
export function objectParam(args: Args, name: string, missing = 'Missing object parameter'): Args {
  const value = recordOf(args, name)
  if (value === undefined) throw new InputError('invalid_input', missing, { issues: [{ path: name, message: missing }] })
  return value
}

export const missingParam = (name: string): string => `Missing '${name}' parameter`

/** Reads a non-negative integer. Any other value counts as absent. */
export function countOf(args: Args, name: string): number | undefined {
  const value = numberOf(args, name)
  return value !== undefined && Number.isInteger(value) && value >= 0 ? value : undefined
}

/** Creates a schema whose input these functions read. Their exceptions become issues of the field that they name. */
export function argumentsSchema<Input>(schema: JsonSchema, read: (args: Args) => Input): StandardSchemaLike<Input> {
  return seedSchema(schema, (args, refuse): Input => {
    try {
      return read(args)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      refuse(error.issues[0]?.path ?? '', error.message)
      // The value is dropped, because the input is invalid.
      return undefined as Input
    }
  })
}
