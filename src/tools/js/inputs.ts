import { byDefault, type Field, list, type OptionalField, oneOf, optional, text } from '../../core/fields.js'
import { charactersAtMost, integer, NOT_BLANK, notBlank } from '../schema.js'

const MIB = 1024 * 1024
const MOST_ARGS = 1000
const LONGEST_MODULE = 4096

export const TIMEOUT_MS = 30_000
const LONGEST_MS = 300_000

export const code = (description: string): Field<string> =>
  text(description, { pattern: NOT_BLANK, maxLength: MIB }, [notBlank('is empty: give the program to run'), charactersAtMost(MIB)])

export const module = (): Field<string> =>
  text(
    'A file with a program (.js .mjs .cjs .ts .mts .cts), from cwd on; or a program of an installed package: its name, or "package/program".',
    { pattern: NOT_BLANK, maxLength: LONGEST_MODULE },
    [notBlank('is empty: give a file, or the name of a program'), charactersAtMost(LONGEST_MODULE)],
  )

export const args = (): Field<string[]> =>
  byDefault(list(text(), { max: MOST_ARGS, description: 'Its arguments: process.argv from the third on.' }), [])

export const stdin = (): OptionalField<string> => optional(text('What it reads from its standard input; default nothing.'))

export const cwd = (): OptionalField<string> =>
  optional(text('The directory to run in, where imports are looked up too: absolute, or relative to the workspace, which is the default.'))

export const format = (): OptionalField<'module' | 'commonjs'> =>
  optional(oneOf(['module', 'commonjs'], 'module (import, top-level await; the default) or commonjs (require).'))

export const timeout = (): Field<number> =>
  integer('Stop it after this many milliseconds.', { min: 1, max: LONGEST_MS, byDefault: TIMEOUT_MS })
