import type { CommandResult } from '../library-types.js'
import { textOf, textOfBytes } from './shared/bytes.js'
import { type CommandContext, failed, type OwnCommand, type OwnResult, passing } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { pathOf } from './shared/files.js'
import { quotedWord } from './shared/quoted-word.js'

const IGNORED = new Set(['--norc', '--noprofile', '--login', '--posix', '--noediting', '-l', '-i', '--restricted'])

/** `bash` and `sh` with the options of `set` in front: `bash -euo pipefail -c ...`, `bash -n file`. */
export const bashCommands: readonly OwnCommand[] = ['bash', 'sh'].map((name) => ({
  name,
  execute: (args, context) => run(name, args, context),
}))

/** The script that a call of `bash` reads from a file. */
export function scriptFile(args: readonly string[]): string | undefined {
  const { script, stdin, rest } = readCall(args)
  return script || stdin ? undefined : rest[0]
}

async function run(name: string, args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const call = readCall(args)
  const { origCommand } = context
  if (!origCommand) return failed(`${name}: cannot run here\n`, 126)
  const script = (words: string[]): Promise<CommandResult> => passing(context, () => origCommand(words))
  if (call.version) return { stdout: 'GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n', stderr: '', exitCode: 0 }
  if (call.wrong !== undefined) return failed(`${name}: ${call.wrong}: invalid option\n`, 2)
  if (call.settings.length === 0 && !call.stdin) return script(call.script ? ['-c', ...call.rest] : [...call.rest])
  const set = call.settings.length === 0 ? ':' : `set ${call.settings.map(quotedWord).join(' ')}`
  if (call.stdin && !call.script) return script(['-c', `${set}; ${textOf(context.stdin)}`, name, ...call.rest])
  const [first, ...rest] = call.rest
  if (call.script) {
    if (first === undefined) return failed(`${name}: -c: option requires an argument\n`, 2)
    return script(['-c', `${set}; ${first}`, ...rest])
  }
  if (first === undefined) return script(['-c', `${set}; ${context.stdin}`])
  try {
    const text = textOfBytes(await context.fs.readFileBuffer(pathOf(context, first)))
    return script(['-c', `${set}; ${text}`, first, ...rest])
  } catch (error) {
    return failed(`${name}: ${first}: ${errorWords(error)}\n`, 127)
  }
}

interface Call {
  /** Of `set`, in front of the script. */
  readonly settings: readonly string[]
  /** `-c`: the script is an argument. */
  readonly script: boolean
  /** `-s`: the script is the input, and the operands are its arguments. */
  readonly stdin: boolean
  readonly rest: readonly string[]
  readonly wrong?: string
  readonly version?: true
}

function readCall(args: readonly string[]): Call {
  const rest = [...args]
  const settings: string[] = []
  let [script, stdin] = [false, false]
  while (rest[0] !== undefined && /^[-+]./.test(rest[0])) {
    const arg = rest.shift() as string
    if (arg === '--') break
    if (arg === '--version') return { settings, script, stdin, rest, version: true }
    if (arg === '--help') return { settings: [], script, stdin, rest: [arg, ...rest] }
    if (IGNORED.has(arg)) continue
    if (!/^[-+][a-zA-Z]+$/.test(arg)) return { settings, script, stdin, rest, wrong: arg }
    const sign = arg[0] as string
    for (const letter of arg.slice(1)) {
      if (letter === 'c') script = true
      else if (letter === 's') stdin = true
      else if (letter === 'o' || letter === 'O') {
        const option = rest.shift() ?? ''
        if (letter === 'o') settings.push(`${sign}o`, option)
      } else if ('efnuvxC'.includes(letter)) settings.push(sign + letter)
      else if (!'lira'.includes(letter)) return { settings, script, stdin, rest, wrong: arg }
    }
  }
  return { settings, script, stdin, rest }
}
