import * as z from 'zod/mini'

// Rules of text that a schema tells too: what a model, or another validator, reads in it is what is asked for here.

/** Not one that only holds white space. */
export const NOT_BLANK = '\\S'
export const NO_NUL = '^[^\\u0000]*$'
/** Both: in one pattern, since providers do not take several. */
export const NOT_BLANK_NO_NUL = '^\\s*[^\\s\\u0000][^\\u0000]*$'

/** Keywords of JSON Schema beside those that come of the checks: what a check of our own asks for. */
export const told = (keywords: {
  readonly pattern?: string
  readonly maxLength?: number
  readonly not?: object
}): ReturnType<typeof z.meta> => z.meta(keywords)

/** Checks that JSON Schema's way to tell them stands for. `message`: what to say to a blank one. */
export const notBlank = (message: string): ReturnType<typeof z.refine<string>> => z.refine<string>((value) => value.trim() !== '', message)

/** Characters as JSON Schema counts them, which are code points: not the UTF-16 units of `z.maxLength`. To be told by `told`. */
export function charactersAtMost(maximum: number): (payload: z.core.ParsePayload<string>) => void {
  return ({ value, issues }) => {
    if (value.length <= maximum || (value.length <= 2 * maximum && [...value].length <= maximum)) return
    issues.push({ code: 'too_big', origin: 'string', maximum, inclusive: true, input: value })
  }
}
