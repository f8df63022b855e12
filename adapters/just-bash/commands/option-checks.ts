import { programFiles } from '../process/find-program.js'
import { signalNamed, signalNumber } from '../process/signals.js'
import { type CommandContext, type OwnCommand, type OwnResult, passing, printed } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { checkOperands, parseOptions } from './shared/options.js'

// These commands reject unknown options. The library's own versions ignore them.

function original(args: readonly string[], { origCommand }: CommandContext): Promise<OwnResult> {
  if (!origCommand) throw new Failure('cannot run here', 126)
  return origCommand([...args])
}

export const whichCommand: OwnCommand = command('which', { usage: 'which [-a] NAME...' }, async (args, context) => {
  const given = parseOptions('which', args, 'a|all', { stopAtOperand: true, status: 2 })
  const { fs, cwd, env } = context
  let stdout = ''
  let missing = given.operands.length === 0
  for (const name of given.operands) {
    const found: string[] = []
    for await (const { shown, executable } of programFiles(fs, cwd, name, env.get('PATH') ?? '')) if (executable) found.push(`${shown}\n`)
    stdout += given.has('a') ? found.join('') : (found[0] ?? '')
    if (found.length === 0) missing = true
  }
  return { ...printed(stdout), exitCode: missing ? 1 : 0 }
})

export const printenvCommand: OwnCommand = command('printenv', { usage: 'printenv [VARIABLE]...' }, async (args, context) => {
  const given = parseOptions('printenv', args, '0|null', { stopAtOperand: true, status: 2 })
  const { exportedEnv = {} } = context
  const end = given.has('0') ? '\0' : '\n'
  const names = given.operands.length > 0 ? given.operands : undefined
  const lines = names
    ? names.flatMap((name) => exportedEnv[name] ?? [])
    : Object.entries(exportedEnv).map(([name, value]) => `${name}=${value}`)
  const isMissing = names !== undefined && lines.length < names.length
  return { ...printed(lines.map((line) => line + end).join('')), exitCode: isMissing ? 1 : 0 }
})

export const hostnameCommand: OwnCommand = command('hostname', { usage: 'hostname [-s|-f]' }, async (args) => {
  const { operands } = parseOptions('hostname', args, 's|short f|fqdn|long')
  if (operands.length > 0) throw new Failure('you must be root to change the host name')
  return printed('localhost\n')
})

/** Clears the screen. The terminal type does not matter, because there is no terminal. */
export const clearCommand: OwnCommand = command('clear', { usage: 'clear [-x] [-T TERM]' }, async (args) => {
  parseOptions('clear', args, 'x T=')
  return printed('\x1b[2J\x1b[H')
})

const DURATION = /^(?:\d+\.?\d*|\.\d+)[smhd]?$/
const TIMED_OUT = 124

export const timeoutCommand: OwnCommand = command(
  'timeout',
  { status: 125, usage: 'timeout [OPTION] DURATION COMMAND [ARG]...' },
  async (args, context) => {
    const given = parseOptions('timeout', args, 'k|kill-after= s|signal= foreground preserve-status', { stopAtOperand: true, status: 125 })
    if (given.operands.length < 2) {
      try {
        checkOperands('timeout', given.operands, 2)
      } catch (error) {
        throw new Failure((error as Error).message, 125)
      }
    }
    const name = given.value('s')
    const signal = name === undefined ? 'SIGTERM' : signalNamed(name)
    if (signal === undefined) throw new Failure(`${name}: invalid signal`, 125)
    for (const time of [given.operands[0], ...given.values('k')]) {
      if (!DURATION.test(time ?? '')) throw new Failure(`invalid time interval '${time}'\nTry 'timeout --help' for more information.`, 125)
    }
    const result = await passing(context, () => original(given.operands, context))
    if (result.exitCode !== TIMED_OUT || !(given.has('preserve-status') || signal === 'SIGKILL')) return result
    return { ...result, exitCode: 128 + signalNumber(signal) }
  },
)
