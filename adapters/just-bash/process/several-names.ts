import type { BuiltinCall } from '../hooks.js'
import type { CommandResult } from '../library-types.js'

/** Builtins that print information for each name, and the options that request this. */
const SHOWING: Readonly<Record<string, RegExp>> = {
  command: /[vV]/,
  declare: /p/,
  shopt: /^[^q]*$/,
  type: /^/,
  typeset: /p/,
}

/** Runs the builtin for each name, so that errors appear in order. Undefined if the builtin prints no names. */
export async function showNames({ name, args, stdin, run }: BuiltinCall): Promise<CommandResult | undefined> {
  const dashes = args.indexOf('--')
  const end = args.findIndex((arg, at) => at === dashes || !/^-./.test(arg))
  const options = end < 0 ? args : args.slice(0, end)
  const names = end < 0 ? [] : args.slice(end === dashes ? end + 1 : end)
  if (names.length < 2 || !SHOWING[name]?.test(options.join(''))) return undefined
  const results: CommandResult[] = []
  for (const each of names) results.push((await run(stdin, [...options, '--', each])) ?? { stdout: '', stderr: '', exitCode: 0 })
  return inOrder(results, name === 'command' ? 'any' : 'all')
}

/** Joins results and keeps the order of their output. `needs`: whether all results must succeed, or only one, for the status 0. */
export function inOrder(pieces: readonly CommandResult[], needs: 'all' | 'any' = 'all'): CommandResult {
  const failed = pieces.filter(({ exitCode }) => exitCode !== 0)
  const fails = needs === 'all' ? failed.length > 0 : failed.length === pieces.length
  return { stdout: '', stderr: '', exitCode: fails ? (failed[0]?.exitCode ?? 1) : 0, pieces }
}
