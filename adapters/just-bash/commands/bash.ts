import type { CommandResult } from '../library-types.js'
import { textOf, textOfBytes } from './shared/bytes.js'
import { type CommandContext, failed, type OwnCommand, type OwnResult, passing } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { pathOf } from './shared/files.js'
import { quotedWord } from './shared/quoted-word.js'

const IGNORED = new Set(['--norc', '--noprofile', '--login', '--posix', '--noediting', '-l', '-i'])

/** `bash` and `sh`. The options of `set` and `shopt` may precede the script: `bash -euo pipefail -c ...`, `bash -O extglob file`. */
export const bashCommands: readonly OwnCommand[] = ['bash', 'sh'].map((name) => ({
  name,
  execute: (args, context) => run(name, args, context),
}))

/** Returns the script file of a `bash` call, or undefined if the call has none. */
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
  if (call.wrong !== undefined || (name === 'sh' && call.shopts.length > 0))
    return failed(`${name}: ${call.wrong ?? '-O'}: invalid option\n`, 2)
  if (call.script && call.rest.length === 0) return failed(`${name}: -c: option requires an argument\n`, 2)
  const set = prefixOf(call)
  if (set === '' && !call.stdin) return script(call.script ? ['-c', ...call.rest] : [...call.rest])
  if (call.stdin && !call.script) return script(['-c', `${set}${textOf(context.stdin)}`, name, ...call.rest])
  const [first, ...rest] = call.rest
  if (call.script) return script(['-c', `${set}${first}`, ...rest])
  if (first === undefined) return script(['-c', `${set}${context.stdin}`])
  try {
    const text = textOfBytes(await context.fs.readFileBuffer(pathOf(context, first)))
    return script(['-c', `${set}${text}`, first, ...rest])
  } catch (error) {
    return failed(`${name}: ${first}: ${errorWords(error)}\n`, 127)
  }
}

/** Returns `shopt` and `set` commands to prepend to the script. The library looks for `shopt -s extglob` there (patches/patterns.patch). */
function prefixOf({ shopts, settings }: Call): string {
  const set = settings.length > 0 ? [`set ${settings.map(quotedWord).join(' ')}`] : []
  return [...shopts, ...set].map((command) => `${command} || exit 2; `).join('')
}

interface Call {
  /** Arguments of `set`, which runs before the script. */
  readonly settings: readonly string[]
  /** `shopt` commands, which run before `set`. */
  readonly shopts: readonly string[]
  /** Whether the script is an argument (`-c`). */
  readonly script: boolean
  /** `-s`: the script comes from standard input, and the operands are its arguments. */
  readonly stdin: boolean
  readonly rest: readonly string[]
  readonly wrong?: string
  readonly version?: true
}

function readCall(args: readonly string[]): Call {
  const rest = [...args]
  const settings: string[] = []
  const shopts: string[] = []
  let [script, stdin] = [false, false]
  const call = (): Call => ({ settings, shopts, script, stdin, rest })
  while (rest[0] !== undefined && /^-|^\+./.test(rest[0])) {
    const arg = rest.shift() as string
    if (arg === '--' || arg === '-') break
    if (arg === '--version') return { ...call(), version: true }
    if (arg === '--help') return { ...call(), settings: [], shopts: [], rest: [arg, ...rest] }
    if (IGNORED.has(arg)) continue
    if (!/^[-+][a-zA-Z]+$/.test(arg)) return { ...call(), wrong: arg }
    const sign = arg[0] as string
    for (const letter of arg.slice(1)) {
      if (letter === 'c') script = true
      else if (letter === 's') stdin = true
      else if (letter === 'o' || letter === 'O') {
        const option = rest.shift()
        if (option === undefined)
          return { ...call(), script: true, rest: [letter === 'o' ? `set ${sign}o` : `shopt ${sign === '-' ? '' : '-p'}`] }
        if (letter === 'o') settings.push(`${sign}o`, option)
        else shopts.push(`shopt ${sign === '-' ? '-s' : '-u'} ${quotedWord(option)}`)
      } else if ('abefhmnuvxCEHT'.includes(letter)) settings.push(sign + letter)
      else if (!'li'.includes(letter)) return { ...call(), wrong: arg }
    }
  }
  return call()
}
