import { FsError } from '../../../src/errors/index.js'
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
  if (!name.includes('/') && context.commands.has(name)) return undefined
  const path = await executableAt(context, name)
  if (path === undefined) return undefined
  const found = await interpreterOf(context, path)
  if (!found) return undefined
  const [named = 'bash', ...options] = found
  const interpreter = SHELLS.has(named) ? 'bash' : named
  if (!context.commands.has(interpreter)) return undefined
  const given = [...options, name.includes('/') ? name : path, ...args]
  return { ...call, name: interpreter, args: given, run: (stdin) => call.run(stdin, interpreter, given) }
}

async function executableAt({ fs, state }: Context, name: string): Promise<string | undefined> {
  const folders = name.includes('/') ? [''] : (state.env.get('PATH') ?? '').split(':').filter((folder) => folder !== '')
  for (const folder of folders) {
    const path = fs.resolvePath(state.cwd, folder === '' ? name : `${folder}/${name}`)
    try {
      const { isFile, mode } = await fs.stat(path)
      if (isFile && (mode & 0o111) !== 0) return path
    } catch (error) {
      if (!FsError.is(error)) throw error
    }
  }
  return undefined
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
