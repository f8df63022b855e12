import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { hasCode } from '../../../errors/index.js'
import type { Workspace } from '../../../types/workspace.js'
import type { CommandLine } from '../options.js'
import { plainLine } from '../plain-line.js'
import { confirm } from '../terminal.js'
import { ConfigError, type ConfigFile } from './file.js'

type Given = Pick<CommandLine, 'trust'>

/**
 * Makes sure that the user has agreed to run the code of a configuration file with this content. The file is in the current directory,
 * which may be a clone of someone else's repository.
 *
 * @throws {ConfigError} if the user has not agreed
 */
export async function checkTrust(file: ConfigFile, given: Given): Promise<void> {
  const content = await readFile(file.path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(file, `it cannot be read: ${error.code}`)
  })
  const hash = createHash('sha256').update(`${file.path}\0`).update(content)
  if (await isTrusted(file, hash.digest('hex'), given)) return
  throw new ConfigError(
    file,
    'it runs code with your rights, and it is new or has changed. Read it, then pass --trust once, or --no-config',
  )
}

/**
 * Returns whether the user trusts the code in a folder of the workspace, with the current content of all files. True if the folder has no
 * files. Rejects if it cannot read a part of the folder.
 */
export async function trustsFolder(workspace: Workspace, folder: string, given: Given): Promise<boolean> {
  const paths: string[] = []
  try {
    for await (const run of workspace.walk(folder, { ignore: false }))
      paths.push(...run.flatMap(({ path, kind }) => (kind === 'dir' ? [] : [path])))
  } catch (error) {
    // Other errors must not count as an empty folder, because the loader skips a subfolder that it cannot read.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return true
    throw error
  }
  if (paths.length === 0) return true
  const hash = createHash('sha256').update(`${workspace.resolve(folder)}\0`)
  for (const path of paths.sort()) {
    const { bytes } = await workspace.readBytes(path)
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return isTrusted({ path: workspace.resolve(folder), name: folder }, hash.digest('hex'), given)
}

/** Returns whether the user trusts this content. Asks, unless `trust` is set or an earlier yes is stored. Stores a new yes. */
async function isTrusted({ path, name }: ConfigFile, hash: string, { trust }: Given): Promise<boolean> {
  const list = trustedList(process.env)
  const trusted = list === undefined ? '' : await readFile(list, 'utf8').catch(() => '')
  if (trusted.split('\n').includes(hash)) return true
  if (!trust && !(await agrees(path))) return false
  const problem = list === undefined ? 'there is no home directory' : await append(list, hash)
  if (problem) process.stderr.write(`toolport: ${plainLine(`Cannot remember that ${name} is trusted: ${problem}`)}\n`)
  return true
}

/** Adds a line to the list. Returns the reason if this fails. */
async function append(list: string, hash: string): Promise<string | undefined> {
  try {
    await mkdir(dirname(list), { recursive: true, mode: 0o700 })
    await appendFile(list, `${hash}\n`, { mode: 0o600 })
    return undefined
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code} at ${list}`
  }
}

/**
 * Returns the path of the list of trusted contents: one SHA-256 of a path and its content per line. The list is in the user's configuration
 * folder, so that a repository cannot contain its own list. Ignores relative paths in the environment, because they would lead into
 * the repository. Returns undefined for a user without a home directory.
 */
function trustedList({ XDG_CONFIG_HOME = '', APPDATA = '' }: NodeJS.ProcessEnv): string | undefined {
  const folder = [XDG_CONFIG_HOME, process.platform === 'win32' ? APPDATA : '', join(home(), '.config')].find(isAbsolute)
  return folder && join(folder, 'toolport', 'trusted')
}

function home(): string {
  try {
    return homedir()
  } catch {
    // The system does not know the user, as in some containers.
    return ''
  }
}

async function agrees(path: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  return confirm(
    `toolport: ${plainLine(path)} runs code with your rights, and it is new or has changed.\nTrust this content from now on? [y/N] `,
  )
}
