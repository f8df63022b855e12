import type { BashStat } from '../../../../src/workspace/facades/to-bash-fs.js'
import { bytesOf } from './bytes.js'
import type { CommandContext } from './command.js'
import { errorWords } from './errno.js'
import { Failure } from './failure.js'

export const pathOf = ({ fs, cwd }: CommandContext, name: string): string => fs.resolvePath(cwd, name)

/** Reads a file, or standard input for `-`. @throws {Failure} `name: No such file or directory` */
export async function readNamed(context: CommandContext, name: string, status?: number): Promise<Uint8Array> {
  if (name === '-') return bytesOf(context.stdin)
  return told(name, () => context.fs.readFileBuffer(pathOf(context, name)), status)
}

/** Returns the attributes of a file, or undefined if the file does not exist. */
export async function statOf(context: CommandContext, name: string, follow = true): Promise<BashStat | undefined> {
  const path = pathOf(context, name)
  return (follow ? context.fs.stat(path) : context.fs.lstat(path)).catch(() => undefined)
}

/** Converts errors of `body` to a failure that names the file. */
export async function told<T>(name: string, body: () => Promise<T>, status?: number): Promise<T> {
  try {
    return await body()
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${name}: ${errorWords(error)}`, status)
  }
}
