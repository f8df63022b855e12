import type { ProgramCall } from '../hooks.js'
import type { Context } from '../library-types.js'

/** They are `bash` here. */
const SHELLS = new Set(['bash', 'sh', 'dash', 'ash', 'ksh', 'zsh'])
const HASHBANG = /^#![ \t]*(\S+)[ \t]*([^\r\n]*)/
/** Of a file; a first line is shorter. */
const HEAD_BYTES = 256

/**
 * A script that begins with `#!/usr/bin/env node`: the call of that program. One of the shell is a call of `bash`: the library would run it with the
 * variables, functions and options of the shell around. Undefined: the call is as it was.
 */
export async function scriptCall(context: Context, call: ProgramCall): Promise<ProgramCall | undefined> {
  const { name, args } = call
  const program = await call.find()
  if (!program || !('script' in program)) return undefined
  const { path } = program
  if (!name.includes('/')) context.state.hashTable?.set(name, path)
  const found = await interpreterOf(context, path)
  if (!found) return undefined
  const [named = 'bash', ...options] = found
  const interpreter = SHELLS.has(named) ? 'bash' : named
  if (!context.commands.has(interpreter)) return undefined
  const given = [...options, name.includes('/') ? name : path, ...args]
  return { ...call, name: interpreter, args: given, run: (stdin) => call.run(stdin, interpreter, given) }
}

/** Undefined: an empty file, as the commands of the shell are. */
async function interpreterOf({ fs }: Context, path: string): Promise<readonly string[] | undefined> {
  const head = new TextDecoder().decode((await fs.readFileBuffer(path)).subarray(0, HEAD_BYTES))
  if (head === '') return undefined
  const [, program = '', rest = ''] = HASHBANG.exec(head) ?? []
  const words = [program, ...rest.trim().split(/\s+/)].filter((word) => word !== '')
  if (baseOf(words[0]) === 'env') {
    words.shift()
    if (words[0] === '-S') words.shift()
  }
  const [first, ...options] = words
  return first === undefined ? [] : [baseOf(first), ...options]
}

const baseOf = (path = ''): string => path.slice(path.lastIndexOf('/') + 1)
