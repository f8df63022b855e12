import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { CliOptions, CommandLine } from '../options.js'
import { plainLine } from '../plain-line.js'
import { type Config, PATH_KEYS } from './config.js'
import { type ConfigFile, currentDirectory } from './file.js'

/**
 * Warns on stderr if the configuration file, and not the command line, lets a command reach more than the current directory. Users expect a
 * command to work in the current directory, but the configuration file there may come from someone else.
 */
export async function warnOfReach({ name }: ConfigFile, config: Config, line: CommandLine, options: CliOptions): Promise<void> {
  const warn = (what: string): boolean => process.stderr.write(`toolport: ${plainLine(`${name} ${what}`)}\n`)
  const here = await realPath(currentDirectory())
  for (const key of PATH_KEYS) {
    const path = config[key]
    if (path === undefined || line[key] !== undefined || options[key] !== path) continue
    const real = await realPath(path)
    if (leads(here, real)) warn(`sets the ${key} to ${real}, which is not below this directory`)
  }
  const real = (['shell', 'js'] as const).filter((key) => line[key] === undefined && options[key] === 'node')
  if (real.length === 0) return
  const what = real.map((key) => (key === 'shell' ? 'a real shell ("shell": "node")' : 'real JavaScript ("js": "node")')).join(' and ')
  warn(`turns on ${what}, which the workspace does not restrict`)
}

/** Resolves all symlinks of a path. The last components need not exist. */
async function realPath(path: string): Promise<string> {
  return realpath(path).catch(async () => {
    const parent = dirname(path)
    return parent === path ? path : join(await realPath(parent), basename(path))
  })
}

/** Whether a path leads outside a directory. */
function leads(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}
