import type { Check } from '../core/fields.js'

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
