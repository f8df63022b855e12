import { type Field, text } from '../../core/fields.js'
import { charactersAtMost, refuse } from '../schema.js'

const NAME_CHARS = 100

/** It is shown in one line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const oneLine = refuse((name) => name.trim() === '' || /[\0-\x1f\x7f]/.test(name), 'must be one line of text')

/** The same, for who reads the schema: white space of one line, then what is neither that nor a control character, then anything of one line. */
const ONE_LINE = '^[^\\S\\u0000-\\u001f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$'

/** The name of a background session. */
export const sessionName = (description: string): Field<string> =>
  text(description, { pattern: ONE_LINE, maxLength: NAME_CHARS }, [charactersAtMost(NAME_CHARS), oneLine])
