import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installError, shown } from '../../../src/packages/install/faults.js'
import type { ManagerName } from './commands.js'
import { readText } from './read-text.js'

const NAMES: readonly ManagerName[] = ['npm', 'pnpm', 'yarn', 'bun']

/** Lock files with their package managers. The first file that exists decides. */
const LOCKS: readonly (readonly [string, ManagerName])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
]

export interface Chosen {
  readonly name: ManagerName
  /** Whether the manager is yarn 2 or later. */
  readonly modernYarn: boolean
}

/**
 * Returns the package manager of a project: the one in `packageManager` of its package.json, else the one of its lock file, else npm.
 * `folder` is a host path.
 *
 * @throws {InputError} `project` if package.json names another manager
 */
export function chooseManager(folder: string, use: ManagerName | 'auto'): Chosen {
  const { name, version = '' } = fieldOf(folder) ?? {}
  if (use === 'auto' && name !== undefined && !isName(name)) {
    const message = `Cannot install: package.json asks for the package manager ${shown(name)}, and only ${NAMES.join(', ')} can be used. Change its "packageManager"`
    throw installError('project', message)
  }
  const chosen = use === 'auto' ? ((name as ManagerName | undefined) ?? ofLock(folder) ?? 'npm') : use
  const named = chosen === name ? /^(\d+)\./.exec(version)?.[1] : undefined
  return { name: chosen, modernYarn: named === undefined ? existsSync(join(folder, '.yarnrc.yml')) : Number(named) > 1 }
}

/** Returns the name of the manager's lock file, if there is one. */
export function lockOf(folder: string, manager: ManagerName): string | undefined {
  return LOCKS.find(([file, name]) => name === manager && existsSync(join(folder, file)))?.[0]
}

const ofLock = (folder: string): ManagerName | undefined => LOCKS.find(([file]) => existsSync(join(folder, file)))?.[1]

const isName = (name: string): name is ManagerName => (NAMES as readonly string[]).includes(name)

/** Parses `packageManager: "pnpm@9.1.0+sha512..."`. */
function fieldOf(folder: string): { readonly name: string; readonly version: string } | undefined {
  const { packageManager } = readJson(join(folder, 'package.json'))
  if (typeof packageManager !== 'string' || packageManager === '') return undefined
  const [name = '', version = ''] = packageManager.split('@')
  return { name, version }
}

/** Reads a JSON file. Returns an empty object for an invalid file, because the manager reports the error. */
export function readJson(file: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(readText(file).replace(/^\uFEFF/, ''))
    return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
