import { GREP_OPTIONS } from '../grep/options.js'
import { type CommandContext, type OwnCommand, type OwnResult, passing } from '../shared/command.js'
import { command, Failure } from '../shared/failure.js'
import { type Given, parseOptions } from '../shared/options.js'

// `zgrep`, `zdiff` and the like run gzip and the actual command, as gzip's own scripts do.

const TROUBLE = 2

export const overGzipCommands: readonly OwnCommand[] = [
  ...['zgrep', 'zegrep', 'zfgrep'].map((name) =>
    command(name, { status: TROUBLE, usage: `${name} [OPTION]... PATTERN [FILE]...` }, (args, context) => zgrep(name, args, context)),
  ),
  ...['zdiff', 'zcmp'].map((name) =>
    command(name, { status: TROUBLE, usage: `${name} [OPTION]... FILE1 [FILE2]` }, (args, context) => compare(name, args, context)),
  ),
]

async function script(context: CommandContext, text: string, args: string[]): Promise<OwnResult> {
  if (!context.exec) throw new Failure('cannot run here', 126)
  const { cwd, stdin, signal, exportedEnv } = context
  const { exec } = context
  return passing(context, () =>
    exec(`bash -c '${text}' _`, {
      cwd,
      stdin,
      stdinKind: 'bytes',
      args,
      ...(signal && { signal }),
      ...(exportedEnv && { env: { ...exportedEnv } }),
    }),
  )
}

/** The options as separate words. */
const words = ({ options }: Given): string[] =>
  options.map(({ id, value = '' }) => (id.length === 1 ? `-${id}${value}` : `--${id}${value === '' ? '' : `=${value}`}`))

async function zgrep(name: string, args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions(name, args, GREP_OPTIONS, { status: TROUBLE, number: 'C' })
  const refused = given.options.find(({ id }) => /^(?:d|Z|z|(?:in|ex)clude.*)$/.test(id))
  if (refused) throw new Failure(`-${refused.id.length > 1 ? '-' : ''}${refused.id}: option not supported`, TROUBLE)
  for (const id of ['r', 'R']) if (given.has(id)) throw new Failure(`-${id} is not supported: use find -name '*.gz' -exec zgrep`, TROUBLE)
  const explicit = given.has('e') || given.has('f')
  const [pattern, ...rest] = given.operands
  if (!explicit && pattern === undefined) throw new Failure('missing pattern', TROUBLE)
  const files = explicit ? given.operands : rest
  const options = [...words(given), ...(explicit ? [] : [`-e${pattern}`])]
  const names = files.length === 0 ? ['-'] : files
  const shows = names.length > 1 && !given.has('h') ? ['-H'] : []
  const grep = name.replace('z', '')
  let [stdout, stderr, status] = ['', '', 1]
  for (const file of names) {
    const label = file === '-' ? [] : [`--label=${file}`]
    const text = `set -o pipefail; gzip -cdfq -- "$1" | ${grep} "\${@:2}"; s=("\${PIPESTATUS[@]}"); [ "\${s[0]}" = 0 ] || [ "\${s[0]}" = 141 ] || exit 2; exit "\${s[1]}"`
    const result = await script(context, text, [file, ...shows, ...label, ...options])
    stdout += result.stdout
    stderr += result.stderr
    if (result.exitCode > 1) status = TROUBLE
    else if (result.exitCode === 0 && status === 1) status = 0
  }
  return { stdout, stderr, exitCode: status, stdoutKind: 'bytes' }
}

async function compare(name: string, args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const files = args.filter((arg) => !arg.startsWith('-') || arg === '-')
  const options = args.filter((arg) => arg.startsWith('-') && arg !== '-' && arg !== '--')
  const [first, second = first?.replace(/\.(?:gz|z|tgz)$/, '')] = files
  if (first === undefined || files.length > 2) throw new Failure('give one or two files', TROUBLE)
  if (second === first) throw new Failure(`${first}: unknown compressed file extension`, TROUBLE)
  const missing = [first, second as string].map((file) => `[ -e "${'$'}{${file === first ? 1 : 2}}" ]`).join(' && ')
  const text = `${missing} || { echo "${name}: $1 or $2: No such file or directory" >&2; exit 2; }; ${name.replace('z', '')} "\${@:3}" <(gzip -cdfq -- "$1") <(gzip -cdfq -- "$2")`
  const result = await script(context, text, [first, second as string, ...options])
  return { ...result, stdoutKind: 'bytes' }
}
