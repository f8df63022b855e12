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

export const wrappedCommands: readonly OwnCommand[] = sumCommands
