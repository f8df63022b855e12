import { byDefault, either, type Field, list, type OptionalField, optional, text, whole, yes } from '../core/fields.js'

export const path = (what: string): Field<string> => text(`${what}: absolute, or relative to the workspace.`)

/** A whole number within bounds, with its default. */
export const integer = (
  description: string,
  bounds: { readonly min: number; readonly max?: number; readonly byDefault: number },
): Field<number> => byDefault(whole(description, { max: Number.MAX_SAFE_INTEGER, ...bounds }), bounds.byDefault)

/** A yes or no with its default. */
export const flag = (description: string, otherwise: boolean): Field<boolean> => byDefault(yes(description), otherwise)

/** Where an earlier, cut answer left off. */
export const cursor = (): OptionalField<string> => optional(text('The "next" of an earlier answer: continues behind it.'))

/** As many as a search takes. */
const MOST_GLOBS = 1000

/** One glob or several. */
export const globs = (description: string): Field<string | string[]> =>
  either(text(), list(text(), { min: 1, max: MOST_GLOBS }), description)
