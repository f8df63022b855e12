import { byDefault, type Check, either, type Field, list, type OptionalField, optional, text, whole, yes } from '../core/fields.js'

export const path = (what: string): Field<string> => text(`${what}: absolute, or relative to the workspace.`)

/** An integer within bounds, with its default. */
export const integer = (
  description: string,
  bounds: { readonly min: number; readonly max?: number; readonly byDefault: number },
): Field<number> => byDefault(whole(description, { max: Number.MAX_SAFE_INTEGER, ...bounds }), bounds.byDefault)

/** A boolean with its default. */
export const flag = (description: string, otherwise: boolean): Field<boolean> => byDefault(yes(description), otherwise)

/** The cursor of an earlier, truncated result. */
export const cursor = (): OptionalField<string> => optional(text('The "next" of an earlier result, to continue after it.'))

/** Maximum number of globs of a search. */
const MOST_GLOBS = 1000

/** One glob or several. */
export const globs = (description: string): Field<string | string[]> =>
  either(text(), list(text(), { min: 1, max: MOST_GLOBS }), description)

// Text rules that a schema can express too, so that models and other validators see the same rules.

/** Rejects text with only white space. */
export const NOT_BLANK = '\\S'
export const NO_NUL = '^[^\\u0000]*$'
/** Rejects blank text and a NUL in one pattern, because providers do not accept several patterns. */
export const NOT_BLANK_NO_NUL = '^\\s*[^\\s\\u0000][^\\u0000]*$'

/** A check for text that JSON Schema can express only as a pattern. */
export const refuse =
  (isWrong: (value: string) => boolean, message: string): Check<string> =>
  (value) =>
    isWrong(value) ? { message } : undefined

/** Rejects blank text with the error `message`. */
export const notBlank = (message: string): Check<string> => refuse((value) => value.trim() === '', message)

/** Limits the number of characters. Counts code points, as JSON Schema does. */
export const charactersAtMost =
  (maximum: number): Check<string> =>
  (value) => {
    if (value.length <= maximum || (value.length <= 2 * maximum && [...value].length <= maximum)) return undefined
    return { code: 'too_big', origin: 'string', maximum }
  }
