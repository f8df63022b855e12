import { type CommandContext, failed, type OwnCommand, type OwnResult } from '../command.js'

// Commands of the library that are right but for some of their arguments.

type Wrap = (args: string[], context: CommandContext, run: (args: string[]) => Promise<OwnResult>) => Promise<OwnResult>

function wrapped(name: string, body: Wrap): OwnCommand {
  return {
    name,
    async execute(args, context) {
      const { origCommand } = context
      return origCommand ? body(args, context, origCommand) : failed(`${name}: cannot run here\n`, 126)
    },
  }
}

const BITS: Readonly<Record<string, number>> = { r: 4, w: 2, x: 1 }

/** `u+x,g=rw` as a number. Undefined for what is none. */
function symbolicMode(text: string): number | undefined {
  let mode = 0
  for (const clause of text.split(',')) {
    const found = /^([ugoa]*)[+=]([rwx]+)$/.exec(clause)
    if (!found) return undefined
    const bits = [...(found[2] as string)].reduce((sum, char) => sum | (BITS[char] as number), 0)
    const who = found[1] === '' || found[1]?.includes('a') ? 'ugo' : (found[1] as string)
    for (const each of who) mode |= bits << ({ u: 6, g: 3, o: 0 }[each] as number)
  }
  return mode
}

/** `-perm` with letters. */
const findCommand = wrapped('find', (args, _, run) =>
  run(
    args.map((arg, i) => {
      const found = args[i - 1] === '-perm' ? /^([-/]?)(.*)$/.exec(arg) : undefined
      const mode = found && /[ugoa+=]/.test(found[2] as string) ? symbolicMode(found[2] as string) : undefined
      return mode === undefined ? arg : `${found?.[1]}${mode.toString(8).padStart(3, '0')}`
    }),
  ),
)

/** With `-c --quiet` only those that fail are shown, with `--status` none; a warning is no output. */
const sumCommands = ['md5sum', 'sha1sum', 'sha256sum'].map((name) =>
  wrapped(name, async (args, _, run) => {
    const [quiet, silent] = [args.includes('--quiet'), args.includes('--status')]
    const result = await run(args.filter((arg) => arg !== '--quiet' && arg !== '--status'))
    if (!args.some((arg) => /^-[bt]*c|^--check/.test(arg))) return result
    const warning = new RegExp(`^${name}: WARNING: .*\n`, 'gm')
    const stderr = result.stderr + (result.stdout.match(warning)?.join('') ?? '')
    const stdout = result.stdout.replace(warning, '')
    if (silent) return { ...result, stdout: '', stderr: '' }
    return { ...result, stdout: quiet ? stdout.replace(/^.*: OK\n/gm, '') : stdout, stderr }
  }),
)

export const wrappedCommands: readonly OwnCommand[] = [findCommand, ...sumCommands]
