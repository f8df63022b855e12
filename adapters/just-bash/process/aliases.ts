import type { CommandResult, Context } from '../library-types.js'
import { inOrder } from './several-names.js'

/** Where the library's parser looks for them. */
const VARIABLE = 'BASH_ALIAS_'

/** `alias [-p] [name[=value] ...]` */
export function aliasBuiltin({ state }: Context, args: readonly string[]): CommandResult {
  const end = args.findIndex((arg) => arg !== '-p')
  const rest = end < 0 ? [] : args.slice(end)
  const words = rest[0] === '--' ? rest.slice(1) : rest
  const shown = (name: string): CommandResult => {
    const value = state.env.get(VARIABLE + name)
    if (value === undefined) return failure(`alias: ${name}: not found`)
    return { stdout: `alias ${name}='${value.replaceAll("'", "'\\''")}'\n`, stderr: '', exitCode: 0 }
  }
  const all = [...state.env.keys()].filter((key) => key.startsWith(VARIABLE)).map((key) => key.slice(VARIABLE.length))
  const listed = words.length === 0 || args[0] === '-p' ? all.sort().map(shown) : []
  return inOrder([
    ...listed,
    ...words.map((word) => {
      const equals = word.indexOf('=', 1)
      if (equals < 0) return shown(word)
      const name = word.slice(0, equals)
      if (/[\s/$`=\\'"|&;()<>]/.test(name)) return failure(`alias: \`${name}': invalid alias name`)
      state.env.set(VARIABLE + name, word.slice(equals + 1))
      return { stdout: '', stderr: '', exitCode: 0 }
    }),
  ])
}

const failure = (message: string): CommandResult => ({ stdout: '', stderr: `bash: ${message}\n`, exitCode: 1 })
