import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { plainLine } from '../plain-line.js'
import { ConfigError, type ConfigFile, currentDirectory } from './file.js'

/** What a function as default export is given. */
interface Given {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** Runs a file, and the function that it exports, if it is one. @throws {ConfigError} that says what it threw */
export async function importConfig(file: ConfigFile): Promise<unknown> {
  await access(file.path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(file, error.code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${error.code}`)
  })
  const exported = await settled(file, () => import(pathToFileURL(file.path).href) as Promise<{ readonly default?: unknown }>)
  if (!('default' in exported))
    throw new ConfigError(file, 'it has no default export: export the settings, or a function that returns them')
  const { default: made } = exported
  const given: Given = { env: process.env, cwd: currentDirectory() }
  return settled(file, async () => (typeof made === 'function' ? made(given) : made))
}

/** What code of the file gives. @throws {ConfigError} that says what it threw, or that it never ends */
export async function settled<T>(file: ConfigFile, run: () => Promise<T>): Promise<T> {
  let giveUp = (): void => {}
  // Nothing is left that could settle it: Node would end without a word of ours.
  const never = new Promise<never>((_, reject) => {
    giveUp = () => reject(new ConfigError(file, 'it waits for something that never happens'))
  })
  process.once('beforeExit', giveUp)
  try {
    return await Promise.race([run(), never])
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(file, (await syntaxProblem(error, file)) ?? `it threw ${thrown(error)}${lineOf(error, file)}`)
  } finally {
    process.off('beforeExit', giveUp)
  }
}

function thrown(value: unknown): string {
  try {
    return plainLine(value instanceof Error ? `${value.name}: ${value.message}` : inspect(value, { depth: 1, breakLength: Infinity }))
  } catch {
    return 'something that cannot be shown'
  }
}

/** Where in the file, when the stack tells. */
function lineOf(error: unknown, { path }: ConfigFile): string {
  const stack = error instanceof Error ? String(error.stack) : ''
  const url = pathToFileURL(path).href
  const frame = stack.split('\n').find((line) => line.includes(`${url}:`))
  const line = frame === undefined ? undefined : /^:(\d+)/.exec(frame.slice(frame.indexOf(url) + url.length))?.[1]
  return line === undefined ? '' : ` (line ${line})`
}

/** An error of syntax tells its place to nobody but the printer of Node, so that is asked. */
async function syntaxProblem(error: unknown, { path }: ConfigFile): Promise<string | undefined> {
  if (!(error instanceof SyntaxError)) return undefined
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--check', path], { timeout: 10_000 }, (_, __, stderr) => resolve(stderr))
  })
  const line = /\.mjs:(\d+)\n/.exec(printed)?.[1]
  return line === undefined ? undefined : `line ${line}: ${plainLine(`${error.name}: ${error.message}`)}`
}
