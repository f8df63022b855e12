import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CommandLine } from '../options.js'
import { confirm } from '../terminal.js'
import { ConfigError, type ConfigFile } from './file.js'

/**
 * Makes sure that the user has agreed to run the code of a configuration file with this content. The file is in the current directory,
 * which may be a clone of someone else's repository.
 *
 * @throws {ConfigError} if the user has not agreed
 */
export async function checkTrust(file: ConfigFile, { trust }: Pick<CommandLine, 'trust'>): Promise<void> {
  const print = await fingerprint(file)
  const list = trustedList(process.env)
  const trusted = await readFile(list, 'utf8').catch(() => '')
  if (trusted.split('\n').includes(print)) return
  if (!trust && !(await agrees(file))) {
    throw new ConfigError(
      file,
      'it runs code with your rights, and it is new or has changed. Read it, then pass --trust once, or --no-config',
    )
  }
  try {
    await mkdir(dirname(list), { recursive: true, mode: 0o700 })
    await appendFile(list, `${print}\n`, { mode: 0o600 })
  } catch (error) {
    process.stderr.write(`toolport: Cannot remember that ${file.name} is trusted: ${(error as NodeJS.ErrnoException).code} at ${list}\n`)
  }
}

/**
 * Returns the path of the list of trusted files: one SHA-256 of a path and a content per line. The list is in the user's configuration
 * folder, so that a repository cannot bring its own.
 */
function trustedList({ XDG_CONFIG_HOME, APPDATA }: NodeJS.ProcessEnv): string {
  const folder = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config')
  return join(folder, 'toolport', 'trusted')
}

async function fingerprint({ path, ...file }: ConfigFile): Promise<string> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError({ path, ...file }, `it cannot be read: ${error.code}`)
  })
  return createHash('sha256').update(`${path}\0`).update(content).digest('hex')
}

async function agrees({ path }: ConfigFile): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  return confirm(`toolport: ${path} runs code with your rights, and it is new or has changed.\nTrust this content from now on? [y/N] `)
}
