import { type CommandContext, missingWords, type OwnCommand, type OwnResult, passing } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { parseOptions } from './shared/options.js'
import { singleQuoted } from './shared/quoted-word.js'

const TROUBLE = 125

/** Programs that only run another program, because their own effect does not exist in this shell. The values are the accepted options. */
const WRAPPERS: Readonly<Record<string, string>> = {
  // There is no terminal that could hang up.
  nohup: '',
  // Priorities have no effect, because there are none.
  nice: 'n|adjustment=',
  ionice: 'c|class= n|classdata= t|ignore',
  // `setsid` has no effect, because there is no terminal to leave.
  setsid: 'c|ctty f|fork w|wait',
  // Output is already forwarded as it is printed.
  stdbuf: 'i|input= o|output= e|error=',
}

export const wrapperCommands: readonly OwnCommand[] = Object.entries(WRAPPERS).map(([name, options]) =>
  command(name, { usage: `${name} [OPTION]... COMMAND [ARG]...`, status: TROUBLE }, (args, context) => run(name, options, args, context)),
)

async function run(wrapper: string, options: string, args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const { operands } = parseOptions(wrapper, args, `${options} version`, {
    stopAtOperand: true,
    status: TROUBLE,
    ...(wrapper === 'nice' && { number: 'n' }),
  })
  const [name, ...rest] = operands
  if (name === undefined && wrapper === 'nice') return { stdout: '0\n', stderr: '', exitCode: 0, stdoutKind: 'text' }
  if (name === undefined) throw new Failure(`missing operand\nTry '${wrapper} --help' for more information.`, TROUBLE)
  const { exec, cwd, stdin, signal } = context
  if (!exec) throw new Failure('this shell cannot run commands', TROUBLE)
  return passing(
    context,
    () => exec(singleQuoted(name), { cwd, args: rest, stdin, stdinKind: 'bytes', ...(signal && { signal }) }),
    (result) => missingWords(result, `${wrapper}: failed to run command '${name}': No such file or directory\n`),
  )
}
