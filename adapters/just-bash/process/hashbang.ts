import type { ProgramCall } from '../hooks.js'
import type { Context } from '../library-types.js'

/** Shells that this shell runs as `bash`. */
const SHELLS = new Set(['bash', 'sh', 'dash', 'ash', 'ksh', 'zsh'])
/** Matches a hashbang line like the kernel: a program, and the rest of the line as one argument. */
const HASHBANG = /^#![ \t]*([^ \t\n]+)[ \t]*([^\n]*)/
/** Number of bytes to read from a file. This is enough for a whole hashbang line. */
const HEAD_BYTES = 256

/**
 * Converts the call of a script with a hashbang, such as `#!/usr/bin/env node`, to a call of that program. Converts the call of a shell
 * script to a call of `bash`, because the library would run the script with the variables, functions and options of the current shell.
 * Returns undefined if the call stays unchanged.
 */
export async function scriptCall(context: Context, call: ProgramCall): Promise<ProgramCall | undefined> {
  const { name, args } = call
  const program = await call.find()
  if (!program || !('script' in program)) return undefined
  const { path } = program
  if (!name.includes('/')) context.state.hashTable?.set(name, path)
  const found = await interpreterOf(context, path)
  if (!found) return undefined
  const { named, options, env } = found
  const base = named.slice(named.lastIndexOf('/') + 1)
  const interpreter = SHELLS.has(base) ? 'bash' : base
  if (!(env || named.includes('/')) || !context.commands.has(interpreter)) {
    const stderr = env
      ? `env: '${named}': No such file or directory\n`
      : `bash: ${name}: ${named}: bad interpreter: No such file or directory\n`
    return { ...call, run: async () => ({ stdout: '', stderr, exitCode: 127 }) }
  }
  const given = [...options, name.includes('/') ? name : path, ...args]
  return { ...call, name: interpreter, args: given, run: (stdin) => call.run(stdin, interpreter, given) }
}

interface Interpreter {
  readonly named: string
  readonly options: readonly string[]
  /** Whether the hashbang line calls `env`, which searches PATH for the program. */
  readonly env: boolean
}

/** Returns undefined for an empty file, which represents a command of the shell. */
async function interpreterOf({ fs }: Context, path: string): Promise<Interpreter | undefined> {
  const head = new TextDecoder().decode((await fs.readFileBuffer(path)).subarray(0, HEAD_BYTES))
  if (head === '') return undefined
  const [, named = '/bin/bash', rest = ''] = HASHBANG.exec(head) ?? []
  const argument = rest.replace(/[ \t]+$/, '')
  if (!/(?:^|\/)env$/.test(named)) return { named, options: argument === '' ? [] : [argument], env: false }
  const [first = '', ...options] = argument.startsWith('-S') ? argument.slice(2).trim().split(/\s+/) : [argument]
  return { named: first, options, env: true }
}
