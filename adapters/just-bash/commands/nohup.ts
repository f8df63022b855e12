import type { OwnCommand } from './command.js'
import { command, Failure } from './failure.js'
import { parseOptions } from './options.js'

const TROUBLE = 125

/** Runs the command: there is no terminal here that could hang up. */
export const nohupCommand: OwnCommand = command('nohup', { usage: 'nohup COMMAND [ARG]...', status: TROUBLE }, async (args, context) => {
  const { operands } = parseOptions('nohup', args, 'version', { stopAtOperand: true, status: TROUBLE })
  const [name, ...rest] = operands
  if (name === undefined) throw new Failure("missing operand\nTry 'nohup --help' for more information.", TROUBLE)
  if (!context.exec) throw new Failure('commands cannot be run from here', TROUBLE)
  const result = await context.exec(quoted(name), {
    cwd: context.cwd,
    args: rest,
    stdin: context.stdin,
    stdinKind: 'bytes',
    ...(context.signal && { signal: context.signal }),
  })
  if (result.exitCode !== 127 || !/: command not found\n$/.test(result.stderr)) return result
  return { ...result, stderr: `nohup: failed to run command '${name}': No such file or directory\n` }
})

const quoted = (name: string): string => `'${name.replaceAll("'", "'\\''")}'`
