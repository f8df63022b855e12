import { packed } from './bytes.js'
import { type CommandContext, type OwnCommand, printed, printedBytes } from './command.js'
import { command, Failure } from './failure.js'
import { parseOptions } from './options.js'

const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

export const envsubstCommand: OwnCommand = command('envsubst', { usage: 'envsubst [OPTION] [SHELL-FORMAT]' }, async (args, context) => {
  const given = parseOptions('envsubst', args, 'v|variables')
  if (given.operands.length > 1) throw new Failure('too many arguments')
  const [format] = given.operands
  if (given.has('v')) {
    if (format === undefined) throw new Failure('missing arguments')
    return printed([...namesIn(format)].map((name) => `${name}\n`).join(''))
  }
  return printedBytes(substituted(context, format === undefined ? undefined : namesIn(format)))
})

const namesIn = (format: string): ReadonlySet<string> =>
  new Set(Array.from(format.matchAll(VARIABLE), ([, braced, bare]) => (braced ?? bare) as string))

/** The input is bytes, and so is what is put in. `only`: those that are replaced; the others stay as they are. */
function substituted({ stdin, exportedEnv = {} }: CommandContext, only: ReadonlySet<string> | undefined): string {
  return stdin.replace(VARIABLE, (all: string, braced?: string, bare?: string) => {
    const name = (braced ?? bare) as string
    if (only && !only.has(name)) return all
    return Object.hasOwn(exportedEnv, name) ? packed(exportedEnv[name] as string) : ''
  })
}
