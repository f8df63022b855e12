import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseJson } from '../json-syntax.js'
import { checkConfig } from './check.js'
import { CODE_KEYS, type Config } from './config.js'
import { ConfigError, type ConfigFile } from './file.js'
import { importConfig, settled } from './import-config.js'

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
