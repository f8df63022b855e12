import type { Arg } from '../args.js'
import type { Risk } from '../types.js'

/** The findings about the arguments of a program. */
export interface Inspection {
  /** The reason to reject the arguments. The message puts this reason after the program's name: `with -c runs ...`. */
  readonly problem?: string
  /** The risk of the arguments. Default `low`. */
  readonly risk?: Risk
  /** The arguments of another command that the program runs. */
  readonly runs?: readonly Arg[]
  /** A command line that the program runs. */
  readonly script?: string
  /** Variables that the program sets: names, or assignments. */
  readonly sets?: readonly string[]
  /** Arguments that are not paths, even if they look like paths. */
  readonly texts?: ReadonlySet<Arg>
}

/** `name`: the program's name; `args`: its other arguments. */
export type Inspect = (args: readonly Arg[], name: string) => Inspection

export const FINE: Inspection = {}
export const MEDIUM: Inspection = { risk: 'medium' }

/**
 * Returns the first of the long options `names` (without `--`) that `arg` may abbreviate, because many programs accept any unique prefix.
 * Ignores the options in `exact`.
 */
export function longOption({ text }: Arg, names: readonly string[], exact: readonly string[] = []): string | undefined {
  const given = /^--([^=]+)/.exec(text)?.[1]
  if (given === undefined || exact.includes(given)) return undefined
  return names.find((name) => name.startsWith(given))
}

/**
 * Returns the first of the `options` that the arguments contain. Matches abbreviated long options, and short options with a joined value.
 * Example of `options`: `['-x', '--exec']`.
 */
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

/** Rejects some options of an otherwise harmless program. */
export const without =
  (options: readonly string[], why: string, look: Inspection = FINE, exact?: readonly string[]): Inspect =>
  (args) => {
    const hit = findOption(args, options, exact)
    return hit === undefined ? look : { problem: `with ${hit} ${why}` }
  }
