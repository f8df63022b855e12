import * as z from 'zod/mini'

const NAME_CHARS = 100

/** It is shown in one line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const oneLine = z.refine<string>((name) => name.trim() !== '' && !/[\0-\x1f\x7f]/.test(name), 'must be one line of text')

/** The name of a background session. */
export const sessionName = (description: string): z.ZodMiniString =>
  z.string().check(z.maxLength(NAME_CHARS), oneLine, z.describe(description))
