import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { describeIssues, type RawIssue } from '../../../core/input-issues.js'
import { createSecurityPolicy } from '../../../core/security/index.js'
import { checkJsOptions } from '../../../tools/js/options.js'
import { webTools } from '../../../tools/web/index.js'
import type { InputIssue } from '../../../types/tool.js'
import { parseJson } from '../json-syntax.js'
import { plainLine } from '../plain-line.js'
import { CODE_KEYS, type Config } from './config.js'
import { ConfigError, type ConfigFile } from './file.js'
import { importConfig, settled } from './import-config.js'
import { configSchema } from './schema.js'

/** What a file says, checked, its paths made absolute. @throws {ConfigError} */
export async function loadConfig(file: ConfigFile): Promise<Config> {
  const isCode = file.path.endsWith('.mjs')
  const value = isCode ? await importConfig(file) : await readJson(file)
  if (!isCode) refuseCode(value, file)
  const { root, seed, ...config } = await settled(file, async () => checkConfig(value, file))
  const from = (path: string): string => resolve(dirname(file.path), path)
  return { ...config, ...(root !== undefined && { root: from(root) }), ...(seed !== undefined && { seed: from(seed) }) }
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

/** The settings of a file, checked by themselves. @throws {ConfigError} with every problem, each at its key */
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

/** What contradicts itself whatever the command line says, and what only its reader can judge. */
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
