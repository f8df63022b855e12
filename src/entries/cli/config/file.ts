import { lstat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type CommandLine, UsageError } from '../options.js'

/** A configuration file. */
export interface ConfigFile {
  /** Absolute path. */
  readonly path: string
  /** Short name for messages. */
  readonly name: string
}

/** Thrown for an invalid configuration file. The message begins with the name of the file. */
export class ConfigError extends UsageError {
  override readonly name = 'ConfigError'
  constructor(file: ConfigFile, problem: string) {
    super(`${file.name}: ${problem}`)
  }
}

type Asked = Pick<CommandLine, 'command' | 'config' | 'noConfig'>

export const CONFIG_NAMES = ['toolport.config.json', 'toolport.config.mjs'] as const

/**
 * Finds the configuration file: the one that --config names, or the one in the current directory. Other directories are not searched,
 * because files in a workspace may come from others. "mcp" never searches: its client chooses the current directory, which is often the
 * workspace.
 * @throws {UsageError}
 */
export async function findConfig({ command, config, noConfig }: Asked): Promise<ConfigFile | undefined> {
  if (config !== undefined) return named(config)
  if (noConfig || command === 'mcp') return undefined
  const cwd = currentDirectory()
  const found: ConfigFile[] = []
  for (const name of CONFIG_NAMES) {
    const file = { path: join(cwd, name), name }
    if (await isOurs(file)) found.push(file)
  }
  if (found.length > 1) {
    throw new UsageError(`There are both ${CONFIG_NAMES.join(' and ')} here: remove one, or choose with --config FILE or --no-config`)
  }
  return found[0]
}

function named(config: string): ConfigFile {
  if (/\.(json|mjs)$/.test(config)) return { path: resolve(currentDirectory(), config), name: config }
  throw new UsageError(`--config ${config}: the name of a configuration file ends in .json or .mjs`)
}

export function currentDirectory(): string {
  try {
    return process.cwd()
  } catch {
    throw new UsageError('The current directory is not there any more')
  }
}

/**
 * Whether the file exists and belongs to this user or to root. @throws {ConfigError} for a file of another user, as in `/tmp`, because it
 * could run any code
 */
async function isOurs(file: ConfigFile): Promise<boolean> {
  let uid: number
  try {
    ;({ uid } = await lstat(file.path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    throw new ConfigError(file, `it cannot be looked at: ${code}`)
  }
  const own = process.getuid?.()
  if (own === undefined || uid === own || uid === 0) return true
  throw new ConfigError(file, `it belongs to another user: "--config ${file.name}" uses it all the same, "--no-config" works without it`)
}
