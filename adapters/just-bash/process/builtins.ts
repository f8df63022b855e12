import type { BuiltinCall } from '../hooks.js'
import { waitBuiltin } from '../jobs/wait.js'
import type { CommandResult, Context } from '../library-types.js'
import { mapfileBuiltin } from '../stdin/mapfile.js'
import { readBuiltin } from '../stdin/read.js'
import { flushAll } from './frames.js'
import { callerBuiltin, exportFunctions, showFunctions } from './functions.js'
import { deeper } from './interpreter-context.js'
import { CHECKED_BUILTINS, keepAttributes, refusedOption, unsetArguments } from './missing-options.js'
import { silent } from './results.js'
import type { Running } from './running.js'
import type { ScriptOutput } from './script-output.js'
import { inOrder, showNames } from './several-names.js'
import { trapBuiltin } from './traps.js'

type Builtin = (context: Context, call: BuiltinCall) => CommandResult | null | Promise<CommandResult | null>

export interface Builtins {
  readonly names: ReadonlySet<string>
  /** Runs a builtin. Resolves to null if the library must look for a program with the name. */
  run(context: Context, call: BuiltinCall): Promise<CommandResult | null>
}

/** Creates the builtins that need jobs, traps or streamed input, and those whose options the library does not check. */
export function createBuiltins(running: Running, output: ScriptOutput): Builtins {
  const jobs = () => import('../jobs/builtins.js')
  const own: Record<string, Builtin> = {
    alias: (context, { args }) => aliasBuiltin(context, args),
    bg: async (context, { args }) => (await jobs()).bgBuiltin(running, context, args),
    caller: (context, { args }) => callerBuiltin(context, args),
    cd: changeDirectory,
    disown: async (context, { args }) => (await jobs()).disownBuiltin(running, context, args),
    eval: (context, call) => deeper(context, () => call.run(call.stdin)),
    exec: (context, call) => (call.args.length === 0 ? call.run(call.stdin) : exec(context, call)),
    export: (context, call) => exportFunctions(context, call.args) ?? call.run(call.stdin),
    fg: async (context, { args }) => (await jobs()).fgBuiltin(running, context, args),
    jobs: async (context, { args }) => (await jobs()).jobsBuiltin(running, context, args),
    async kill(context, { args }) {
      const result = (await jobs()).killBuiltin(running, context, args)
      // Flush the output first, because the command may have killed its own process.
      await flushAll(context.place.frame)
      return result
    },
    mapfile: mapfileBuiltin,
    popd: changeDirectory,
    pushd: changeDirectory,
    read: readBuiltin,
    readarray: mapfileBuiltin,
    times: () => ({ stdout: '0m0.000s 0m0.000s\n'.repeat(2), stderr: '', exitCode: 0 }),
    trap: (context, { args }) => trapBuiltin(context, args),
    umask: (_, { args }) => umaskBuiltin(args),
    unset: (context, call) => call.run(call.stdin, unsetArguments(context, call.args)),
    wait: (context, { args }) => waitBuiltin(running, context, args),
  }
  for (const name of CHECKED_BUILTINS) own[name] ??= checked
  for (const name of ['declare', 'typeset']) own[name] = (context, call) => showFunctions(context, call.args) ?? checked(context, call)
  return {
    names: new Set(Object.keys(own)),
    async run(context, call) {
      const { name, args, plain } = call
      const isFunction = !plain && context.state.functions.has(name)
      const refused = isFunction ? undefined : refusedOption(name, args)
      return refused ?? (isFunction ? call.run(call.stdin) : (own[name]?.(context, call) ?? null))
    },
  }

  /** Runs the command of `exec`, which replaces the shell. The traps of the shell do not run. */
  async function exec(context: Context, call: BuiltinCall): Promise<never> {
    const result = (await call.run(call.stdin)) ?? silent({ stdout: '', stderr: '', exitCode: 0 })
    const { stdout, stderr } = await output.print(context, result)
    context.place.traps.clear()
    throw new context.place.Exit(result.exitCode, stdout, stderr)
  }
}

/** Runs a builtin of the library after checking its options. */
async function checked(context: Context, call: BuiltinCall): Promise<CommandResult | null> {
  const { name } = call
  keepAttributes(context, name, call.args)
  const run: BuiltinCall['run'] = async (stdin, args) => {
    const result = await call.run(stdin, args)
    if (name === 'set' && result?.exitCode) return { ...result, exitCode: 2 }
    return name === 'shopt' && result ? { ...result, stdout: result.stdout.replace(/^(\w+)\t\t/gm, padded) } : result
  }
  return (await showNames({ ...call, run })) ?? run(call.stdin)
}

/** Pads an option name to the column width of bash's lists. */
const padded = (_: string, option: string): string => `${option.padEnd(15)}\t`

async function changeDirectory({ state }: Context, call: BuiltinCall): Promise<CommandResult | null> {
  const result = await call.run(call.stdin)
  keepDirectories(state)
  return result
}

/** Updates DIRSTACK from the working directory and the directory stack. */
export function keepDirectories({ arrays, cwd, directoryStack = [] }: Context['state']): void {
  const elements = new Map([cwd, ...directoryStack].map((directory, index) => [String(index), directory]))
  arrays?.set('DIRSTACK', { kind: 'indexed', elements })
}

/** Files are always created with the mask 022, so `umask` can only show this mask or set it again. */
function umaskBuiltin(args: readonly string[]): CommandResult {
  const [first, ...rest] = args
  const symbolic = first === '-S' && rest.length === 0
  if (first === undefined || symbolic || (rest.length === 0 && /^0*22$|^u=rwx,g=rx,o=rx$/.test(first)))
    return { stdout: first === undefined ? '0022\n' : symbolic ? 'u=rwx,g=rx,o=rx\n' : '', stderr: '', exitCode: 0 }
  return { stdout: '', stderr: `bash: umask: ${args.join(' ')}: the mask is always 0022 here: use chmod\n`, exitCode: 1 }
}

/** Prefix of the variables in which the library's parser looks for aliases. */
const VARIABLE = 'BASH_ALIAS_'

/** Runs `alias [-p] [name[=value] ...]`. */
function aliasBuiltin({ state }: Context, args: readonly string[]): CommandResult {
  const end = args.findIndex((arg) => arg !== '-p')
  const rest = end < 0 ? [] : args.slice(end)
  const words = rest[0] === '--' ? rest.slice(1) : rest
  const shown = (name: string): CommandResult => {
    const value = state.env.get(VARIABLE + name)
    if (value === undefined) return failure(`alias: ${name}: not found`)
    return { stdout: `alias ${name}='${value.replaceAll("'", "'\\''")}'\n`, stderr: '', exitCode: 0 }
  }
  const all = [...state.env.keys()].filter((key) => key.startsWith(VARIABLE)).map((key) => key.slice(VARIABLE.length))
  const listed = words.length === 0 || args[0] === '-p' ? all.sort().map(shown) : []
  return inOrder([
    ...listed,
    ...words.map((word) => {
      const equals = word.indexOf('=', 1)
      if (equals < 0) return shown(word)
      const name = word.slice(0, equals)
      if (/[\s/$`=\\'"|&;()<>]/.test(name)) return failure(`alias: \`${name}': invalid alias name`)
      state.env.set(VARIABLE + name, word.slice(equals + 1))
      return { stdout: '', stderr: '', exitCode: 0 }
    }),
  ])
}

const failure = (message: string): CommandResult => ({ stdout: '', stderr: `bash: ${message}\n`, exitCode: 1 })
