import { type Field, text } from '../../core/fields.js'
import { charactersAtMost, refuse } from '../schema.js'

const NAME_CHARS = 100

/** Rejects a blank name and a name of several lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const oneLine = refuse((name) => name.trim() === '' || /[\0-\x1f\x7f]/.test(name), 'must be one line of text')

/**
 * The rule of `oneLine` as a pattern for the schema: optional white space, a character that is neither white space nor a control character,
 * then any characters in one line.
 */
const ONE_LINE = '^[^\\S\\u0000-\\u001f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$'

/** The name of a background session. */
export const sessionName = (description: string): Field<string> =>
  text(description, { pattern: ONE_LINE, maxLength: NAME_CHARS }, [charactersAtMost(NAME_CHARS), oneLine])
