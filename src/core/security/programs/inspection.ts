import type { Arg } from '../args.js'
import type { Risk } from '../types.js'

/** What the arguments of a program mean to the policy. */
export interface Inspection {
  /** Why they are refused, to follow the program's name: `with -c runs ...`. */
  readonly problem?: string
  /** Default low. */
  readonly risk?: Risk
  /** Another command that it runs. */
  readonly runs?: readonly Arg[]
  /** A command line that it runs. */
  readonly script?: string
  /** Assignments it makes: names and values of variables. */
  readonly sets?: readonly string[]
  /** Arguments that are no paths, whatever they look like. */
  readonly texts?: ReadonlySet<Arg>
}

/** `args` without the program's name, which is `name`. */
export type Inspect = (args: readonly Arg[], name: string) => Inspection

export const FINE: Inspection = {}
export const MEDIUM: Inspection = { risk: 'medium' }

/** The long options (without `--`) that `arg` may mean: many programs take any beginning of one. */
export function longOption({ text }: Arg, names: readonly string[], exact: readonly string[] = []): string | undefined {
  const given = /^--([^=]+)/.exec(text)?.[1]
  if (given === undefined || exact.includes(given)) return undefined
  return names.find((name) => name.startsWith(given))
}

/** The first option of a list in the arguments, long ones by any beginning: `['-x', '--exec']`. Short ones joined with their value too. */
export function findOption(args: readonly Arg[], options: readonly string[], exact?: readonly string[]): string | undefined {
  const long = options.filter((option) => option.startsWith('--')).map((option) => option.slice(2))
  const short = options.filter((option) => !option.startsWith('--'))
  for (const arg of args) {
    if (arg.text === '--') return undefined
    const name = longOption(arg, long, exact)
    const hit = name === undefined ? short.find((option) => arg.text.startsWith(option) && !arg.text.startsWith('--')) : `--${name}`
    if (hit !== undefined) return hit
  }
  return undefined
}

/** Refuses some options of a program that is fine otherwise. */
export const without =
  (options: readonly string[], why: string, look: Inspection = FINE, exact?: readonly string[]): Inspect =>
  (args) => {
    const hit = findOption(args, options, exact)
    return hit === undefined ? look : { problem: `with ${hit} ${why}` }
  }
