import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import { type CommandContext, type OwnCommand, printed, printedBytes } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'

const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

export const envsubstCommand: OwnCommand = command('envsubst', { usage: 'envsubst [OPTION] [SHELL-FORMAT]' }, async (args, context) => {
  const given = parseOptions('envsubst', args, 'v|variables')
  if (given.operands.length > 1) throw new Failure('too many arguments')
  const [format] = given.operands
  if (given.has('v')) {
    if (format === undefined) throw new Failure('missing arguments')
    return printed([...namesIn(format)].map((name) => `${name}\n`).join(''))
  }
  return printedBytes(await substituted(context, format === undefined ? undefined : namesIn(format)))
})

const namesIn = (format: string): ReadonlySet<string> =>
  new Set(Array.from(format.matchAll(VARIABLE), ([, braced, bare]) => (braced ?? bare) as string))

/** Substitutes variables in bytes. `only`: names of the variables to replace. All others stay unchanged. */
async function substituted(context: CommandContext, only: ReadonlySet<string> | undefined): Promise<string> {
  const { stdin, exportedEnv = {} } = context
  const out = new Printout(context)
  const pace = new Pace(context)
  let done = 0
  for (const { 0: all, 1: braced, 2: bare, index } of stdin.matchAll(VARIABLE)) {
    const name = (braced ?? bare) as string
    out.put(stdin.slice(done, index))
    if (only && !only.has(name)) out.put(all)
    else if (Object.hasOwn(exportedEnv, name)) out.put(packed(exportedEnv[name] as string))
    done = index + all.length
    await pace.turn()
  }
  out.put(stdin.slice(done))
  return out.text()
}
