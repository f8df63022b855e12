import * as z from 'zod/mini'

/** A string parameter. */
export const text = (description: string): z.ZodMiniString => z.string().check(z.describe(description))

export const path = (what: string): z.ZodMiniString => text(`${what}: absolute, or relative to the workspace.`)

/** A whole number within bounds, with its default. */
export const integer = (
  description: string,
  bounds: { min: number; max?: number; byDefault: number },
): z.ZodMiniDefault<z.ZodMiniNumberFormat> => {
  const { min, max = Number.MAX_SAFE_INTEGER, byDefault } = bounds
  return z._default(z.int().check(z.minimum(min), z.maximum(max), z.describe(description)), byDefault)
}

/** A yes or no with its default. */
export const flag = (description: string, byDefault: boolean): z.ZodMiniDefault<z.ZodMiniBoolean> =>
  z._default(z.boolean().check(z.describe(description)), byDefault)

/** Where an earlier, cut answer left off. */
export const cursor = (): z.ZodMiniOptional<z.ZodMiniString> => z.optional(text('The "next" of an earlier answer: continues behind it.'))

/** As many as a search takes. */
const MOST_GLOBS = 1000

/** One glob or several. */
export const globs = (description: string): z.ZodMiniUnion<readonly [z.ZodMiniString<string>, z.ZodMiniArray<z.ZodMiniString<string>>]> =>
  z.union([z.string(), z.array(z.string()).check(z.minLength(1), z.maxLength(MOST_GLOBS))]).check(z.describe(description))
