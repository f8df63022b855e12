import type { CommandResult } from '../library-types.js'

interface Missing {
  readonly given: RegExp
  /** After the option: what to do. */
  readonly instead: string
}

const PRINTED: Missing = {
  given: /^-[a-zA-Z]*f/,
  instead: 'the text of a function cannot be shown here. Use declare -F NAME to see that it is there',
}

/** Options of builtins that the library takes and does nothing with. */
export const MISSING_OPTIONS: ReadonlyMap<string, Missing> = new Map([
  ['declare', PRINTED],
  ['typeset', PRINTED],
  [
    'export',
    {
      given: /^-[a-zA-Z]*f/,
      instead: 'functions are not exported here. Put them into a file and use source in the script that needs them',
    },
  ],
  ['shopt', { given: /^(?:nocaseglob|failglob)$/, instead: 'not supported here. Use patterns as [Rr]eadme*, or find -iname' }],
])

/** Undefined: there is nothing to refuse. */
export function refusedOption(name: string, args: readonly string[]): CommandResult | undefined {
  const missing = MISSING_OPTIONS.get(name)
  const options = name === 'shopt' ? (args.some((arg) => /^-[a-z]*s/.test(arg)) ? args : []) : args.filter((arg) => /^-./.test(arg))
  const given = options.find((arg) => missing?.given.test(arg))
  return given === undefined ? undefined : { stdout: '', stderr: `bash: ${name}: ${given}: ${missing?.instead}\n`, exitCode: 1 }
}
