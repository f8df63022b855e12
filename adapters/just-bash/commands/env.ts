import { packed } from './shared/bytes.js'
import { type CommandContext, type OwnCommand, type OwnResult, passing } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, told } from './shared/files.js'
import { parseOptions } from './shared/options.js'
import { quotedWord } from './shared/quoted-word.js'
import { Report } from './shared/text-io.js'

export const envCommand: OwnCommand = command('env', { status: 125, usage: 'env [OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('env', args, 'i|ignore-environment u|unset= 0|null C|chdir= S|split-string=! v|debug', {
    stopAtOperand: true,
    status: 125,
  })
  if (given.has('S')) throw new Failure('-S is not supported in this shell', 125)
  const words = [...given.operands]
  const env: Record<string, string> = {}
  if (words[0] === '-') words.shift()
  else if (!given.has('i')) Object.assign(env, context.exportedEnv)
  for (const name of given.values('u')) delete env[name]
  while (words[0]?.includes('=')) {
    const word = words.shift() as string
    env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
  }
  const [name, ...rest] = words
  const folder = given.value('C')
  if (name === undefined) {
    if (folder !== undefined) throw new Failure('must specify command with --chdir (-C)', 125)
    const end = given.has('0') ? '\0' : '\n'
    return new Report('env').result(
      packed(
        Object.entries(env)
          .map(([key, value]) => `${key}=${value}${end}`)
          .join(''),
      ),
    )
  }
  if (given.has('0')) throw new Failure('cannot specify --null (-0) with command', 125)
  if (
    folder !== undefined &&
    !(await told(`cannot change directory to '${folder}'`, () => context.fs.stat(pathOf(context, folder)), 125)).isDirectory
  )
    throw new Failure(`cannot change directory to '${folder}': Not a directory`, 125)
  // Assignments before the command export the variables only to this command.
  const assigned = Object.entries(env).filter(([key]) => /^[A-Za-z_]\w*$/.test(key) && key !== 'PWD' && key !== 'OLDPWD')
  const script = [...assigned.map(([key, value]) => `${key}=${quotedWord(value)}`), quotedWord(name)].join(' ')
  const { exec, cwd, stdin, signal } = context
  if (!exec) throw new Failure('this shell cannot run commands', 125)
  return passing(
    context,
    () =>
      exec(script, {
        cwd: folder === undefined ? cwd : pathOf(context, folder),
        env,
        replaceEnv: true,
        stdin,
        stdinKind: 'bytes',
        args: rest,
        ...(signal && { signal }),
      }),
    undefined,
    ['PWD', 'OLDPWD'].filter((each) => !(each in env)),
  )
}
