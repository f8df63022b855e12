import { byDefault, type Check, either, type Field, list, type OptionalField, optional, text, whole, yes } from '../core/fields.js'

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

// Rules of text that a schema tells too: what a model, or another validator, reads in it is what is asked for here.

/** Not one that only holds white space. */
export const NOT_BLANK = '\\S'
export const NO_NUL = '^[^\\u0000]*$'
/** Both: in one pattern, since providers do not take several. */
export const NOT_BLANK_NO_NUL = '^\\s*[^\\s\\u0000][^\\u0000]*$'

/** Text for which a pattern is all that JSON Schema can say. */
export const refuse =
  (isWrong: (value: string) => boolean, message: string): Check<string> =>
  (value) =>
    isWrong(value) ? { message } : undefined

/** `message`: what to say to a blank one. */
export const notBlank = (message: string): Check<string> => refuse((value) => value.trim() === '', message)

/** Characters as JSON Schema counts them, which are code points. */
export const charactersAtMost =
  (maximum: number): Check<string> =>
  (value) => {
    if (value.length <= maximum || (value.length <= 2 * maximum && [...value].length <= maximum)) return undefined
    return { code: 'too_big', origin: 'string', maximum }
  }
