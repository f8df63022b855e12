import { type CommandContext, type OwnCommand, printed } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { checkOperands, parseOptions } from './shared/options.js'

// Facts about a fictional user, for scripts that check them.

const ID = 1000

const userOf = ({ exportedEnv }: CommandContext): string => exportedEnv?.USER || exportedEnv?.LOGNAME || 'user'

const SPECS = 'g|group G|groups n|name r|real u|user z|zero a Z|context'

const idCommand: OwnCommand = command('id', { usage: 'id [OPTION]... [USER]' }, async (args, context) => {
  const given = parseOptions('id', args, SPECS)
  checkOperands('id', given.operands, 0, 1)
  const user = userOf(context)
  const [asked] = given.operands
  if (asked !== undefined && asked !== user && asked !== String(ID)) throw new Failure(`'${asked}': no such user`)
  if (given.has('Z')) throw new Failure('--context (-Z) works only on an SELinux-enabled kernel')
  const choices = ['u', 'g', 'G'].filter((choice) => given.has(choice))
  if (choices.length > 1) throw new Failure('cannot print "only" of more than one choice')
  if (choices.length === 0 && (given.has('n') || given.has('r'))) throw new Failure('cannot print only names or real IDs in default format')
  const end = given.has('z') ? '\0' : '\n'
  if (choices.length === 1) return printed(`${given.has('n') ? user : ID}${end}`)
  if (given.has('z')) throw new Failure('option --zero not permitted in default format')
  return printed(`uid=${ID}(${user}) gid=${ID}(${user}) groups=${ID}(${user})\n`)
})

const groupsCommand: OwnCommand = command('groups', { usage: 'groups [OPTION]... [USERNAME]...' }, async (args, context) => {
  const { operands } = parseOptions('groups', args, 'version')
  const user = userOf(context)
  const stranger = operands.find((name) => name !== user)
  if (stranger !== undefined) throw new Failure(`'${stranger}': no such user`)
  return printed(operands.length === 0 ? `${user}\n` : operands.map((name) => `${name} : ${user}\n`).join(''))
})

/** Creates a command without operands that prints one line. */
function fact(name: string, line: (context: CommandContext) => string): OwnCommand {
  return command(name, { usage: `${name} [OPTION]` }, async (args, context) => {
    const { operands } = parseOptions(name, args, 'version')
    checkOperands(name, operands, 0, 0)
    return printed(`${line(context)}\n`)
  })
}

const nprocCommand: OwnCommand = command('nproc', { usage: 'nproc [OPTION]...' }, async (args) => {
  const given = parseOptions('nproc', args, 'all ignore=')
  checkOperands('nproc', given.operands, 0, 0)
  const ignore = given.value('ignore') ?? '0'
  if (!/^\d+$/.test(ignore)) throw new Failure(`invalid number: '${ignore}'`)
  return printed('1\n')
})

const ttyCommand: OwnCommand = command('tty', { status: 2, usage: 'tty [-s]' }, async (args) => {
  const given = parseOptions('tty', args, 's|silent|quiet', { status: 2 })
  if (given.operands.length > 0) throw new Failure(`extra operand '${given.operands[0]}'\nTry 'tty --help' for more information.`, 2)
  return { ...printed(given.has('s') ? '' : 'not a tty\n'), exitCode: 1 }
})

export const identityCommands: readonly OwnCommand[] = [
  idCommand,
  groupsCommand,
  nprocCommand,
  ttyCommand,
  fact('whoami', userOf),
  fact('logname', userOf),
  fact('arch', () => 'x86_64'),
]
