import * as z from 'zod/mini'
import { integer, text } from '../schema.js'
import { charactersAtMost, NOT_BLANK, notBlank, told } from '../told.js'

const MIB = 1024 * 1024
const MOST_ARGS = 1000
const LONGEST_MODULE = 4096

export const TIMEOUT_MS = 30_000
const LONGEST_MS = 300_000

export const code = (description: string): z.ZodMiniString =>
  z
    .string()
    .check(
      notBlank('is empty: give the program to run'),
      charactersAtMost(MIB),
      told({ pattern: NOT_BLANK, maxLength: MIB }),
      z.describe(description),
    )

export const module = (): z.ZodMiniString =>
  z
    .string()
    .check(
      notBlank('is empty: give a file, or the name of a program'),
      charactersAtMost(LONGEST_MODULE),
      told({ pattern: NOT_BLANK, maxLength: LONGEST_MODULE }),
      z.describe(
        'A file with a program (.js .mjs .cjs .ts .mts .cts), from cwd on; or a program of an installed package: its name, or "package/program".',
      ),
    )

export const args = (): z.ZodMiniDefault<z.ZodMiniArray<z.ZodMiniString>> =>
  z._default(z.array(z.string()).check(z.maxLength(MOST_ARGS), z.describe('Its arguments: process.argv from the third on.')), [])

export const stdin = (): z.ZodMiniOptional<z.ZodMiniString> => z.optional(text('What it reads from its standard input; default nothing.'))

export const cwd = (): z.ZodMiniOptional<z.ZodMiniString> =>
  z.optional(
    text('The directory to run in, where imports are looked up too: absolute, or relative to the workspace, which is the default.'),
  )

export const format = (): z.ZodMiniOptional<z.ZodMiniEnum<{ module: 'module'; commonjs: 'commonjs' }>> =>
  z.optional(z.enum(['module', 'commonjs']).check(z.describe('module (import, top-level await; the default) or commonjs (require).')))

export const timeout = (): ReturnType<typeof integer> =>
  integer('Stop it after this many milliseconds.', { min: 1, max: LONGEST_MS, byDefault: TIMEOUT_MS })
