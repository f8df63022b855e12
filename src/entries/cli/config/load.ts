import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { describeIssues, type RawIssue } from '../../../core/input-issues.js'
import { createSecurityPolicy } from '../../../core/security/index.js'
import { checkJsOptions } from '../../../tools/js/options.js'
import { webTools } from '../../../tools/web/index.js'
import type { InputIssue } from '../../../types/tool.js'
import { parseJson } from '../json-syntax.js'
import { plainLine } from '../plain-line.js'
import { CODE_KEYS, type Config, PATH_KEYS } from './config.js'
import { ConfigError, type ConfigFile, currentDirectory } from './file.js'
import { configSchema } from './schema.js'

/** Loads and validates a configuration file and makes its paths absolute. @throws {ConfigError} */
export async function loadConfig(file: ConfigFile): Promise<Config> {
  const isCode = file.path.endsWith('.mjs')
  const value = isCode ? await importDefault(file, 'the settings') : await readJson(file)
  if (!isCode) refuseCode(value, file)
  const config = await settled(file, async () => checkConfig(value, file))
  const paths = PATH_KEYS.flatMap((key) => (config[key] === undefined ? [] : [[key, resolve(dirname(file.path), config[key])]]))
  return { ...config, ...Object.fromEntries(paths) }
}

async function readJson(file: ConfigFile): Promise<unknown> {
  const text = await readFile(file.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(file, error.code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${error.code}`)
  })
  const parsed = parseJson(text.replace(/^\ufeff/, ''))
  if ('problem' in parsed) throw new ConfigError(file, parsed.problem)
  return parsed.value
}

function refuseCode(value: unknown, file: ConfigFile): void {
  const key = CODE_KEYS.find((name) => typeof value === 'object' && value !== null && Object.hasOwn(value, name))
  if (key !== undefined) throw new ConfigError(file, `${key}: JSON has no functions: a file that ends in .mjs can have it`)
}

/** Validates the settings of a file. @throws {ConfigError} with every problem, each at its key */
function checkConfig(value: unknown, file: ConfigFile): Config {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError(file, `expected an object with settings, got ${kindOf(value)}`)
  }
  const issues: RawIssue[] = []
  const config = configSchema.read(value, issues)
  const problems = issues.length === 0 ? contradictions(config) : describeIssues(issues, value, configSchema.json)
  if (problems.length === 0) return config
  const [first, ...others] = problems.map(line)
  throw new ConfigError(file, others.length === 0 ? `${first}` : [`${problems.length} problems`, first, ...others].join('\n  '))
}

const line = ({ path, message }: InputIssue): string => plainLine(path === '' ? message : `${path}: ${message}`)

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** Returns settings that contradict each other regardless of the command line, and values beyond limits that the schema cannot express. */
function contradictions({ root, memory, seed, registry, webSearch, policy }: Config): readonly InputIssue[] {
  const problems: InputIssue[] = []
  if (memory && root !== undefined)
    problems.push({ path: 'memory', message: 'excludes "root": the workspace is in memory, or a directory' })
  if (seed !== undefined && !memory) problems.push({ path: 'seed', message: 'needs "memory": true' })
  const commands = policy?.commands
  if (registry !== undefined) problems.push(...refused('registry', () => checkJsOptions({ registry })))
  if (webSearch) problems.push(...refused('webSearch', () => webTools(webSearch)))
  if (typeof commands === 'object') problems.push(...refused('policy.commands', () => createSecurityPolicy(commands)))
  return problems
}

function refused(path: string, check: () => unknown): readonly InputIssue[] {
  try {
    check()
    return []
  } catch (error) {
    return [{ path, message: error instanceof Error ? error.message : String(error) }]
  }
}

/** The argument that the module's default export receives, if it is a function. */
interface Given {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/**
 * Imports a module and returns its default export. If that is a function, calls it and returns the result.
 *
 * @param what what the module contains, for error messages: `the settings`
 * @throws {ConfigError} with the error that the module threw
 */
export async function importDefault(file: ConfigFile, what: string): Promise<unknown> {
  await access(file.path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(file, error.code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${error.code}`)
  })
  const exported = await settled(file, () => import(pathToFileURL(file.path).href) as Promise<{ readonly default?: unknown }>)
  if (!('default' in exported)) throw new ConfigError(file, `it has no default export: export ${what}, or a function that returns them`)
  const { default: made } = exported
  const given: Given = { env: process.env, cwd: currentDirectory() }
  return settled(file, async () => (typeof made === 'function' ? made(given) : made))
}

/** Runs code of the file. @throws {ConfigError} with the error that the code threw, or if the code never settles */
async function settled<T>(file: ConfigFile, run: () => Promise<T>): Promise<T> {
  let giveUp = (): void => {}
  // If nothing is pending, Node exits silently. So report a promise that never settles when Node is about to exit.
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

/** Returns the line of an error in the file, such as ` (line 3)`; empty if the stack does not contain the file. */
function lineOf(error: unknown, { path }: ConfigFile): string {
  const stack = error instanceof Error ? String(error.stack) : ''
  const url = pathToFileURL(path).href
  const frame = stack.split('\n').find((line) => line.includes(`${url}:`))
  const line = frame === undefined ? undefined : /^:(\d+)/.exec(frame.slice(frame.indexOf(url) + url.length))?.[1]
  return line === undefined ? '' : ` (line ${line})`
}

/**
 * Returns the line and the message of a syntax error. Only Node's own error output contains the line, so a child process checks the file
 * and prints the error.
 */
async function syntaxProblem(error: unknown, { path }: ConfigFile): Promise<string | undefined> {
  if (!(error instanceof SyntaxError)) return undefined
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--check', path], { timeout: 10_000 }, (_, __, stderr) => resolve(stderr))
  })
  const line = /\.mjs:(\d+)\n/.exec(printed)?.[1]
  return line === undefined ? undefined : `line ${line}: ${plainLine(`${error.name}: ${error.message}`)}`
}
