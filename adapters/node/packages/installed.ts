import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { InstalledPackage, InstallReport, InstallWarning } from '../../../src/packages/install/options.js'
import { joinPath } from '../../../src/workspace/paths.js'
import { readJson } from './choose.js'

interface Entry {
  readonly version: string
  readonly deprecated?: string
  readonly hasScripts: boolean
}

/** Maps the path of a package in the project, such as `node_modules/a`, to the package. */
export type Tree = ReadonlyMap<string, Entry>

const MODULES = 'node_modules'
const SCRIPTS = ['preinstall', 'install', 'postinstall']

/**
 * Lists the packages in node_modules. If npm keeps a list there, returns all packages, else those at the top level. `folder` is a host
 * path.
 */
export function readTree(folder: string): Tree {
  const { packages } = readJson(join(folder, MODULES, '.package-lock.json'))
  return typeof packages === 'object' && packages !== null ? listed(packages) : found(folder)
}

function listed(packages: object): Tree {
  const tree = new Map<string, Entry>()
  for (const [path, entry] of Object.entries(packages as Record<string, Readonly<Record<string, unknown>> | null>)) {
    if (typeof entry?.version !== 'string' || entry.link === true) continue
    const deprecated = typeof entry.deprecated === 'string' ? { deprecated: entry.deprecated } : {}
    tree.set(path, { version: entry.version, hasScripts: entry.hasInstallScript === true, ...deprecated })
  }
  return tree
}

function found(folder: string): Tree {
  const tree = new Map<string, Entry>()
  for (const name of namesIn(join(folder, MODULES))) {
    const entry = readEntry(folder, name)
    if (entry) tree.set(`${MODULES}/${name}`, entry)
  }
  return tree
}

function namesIn(modules: string): string[] {
  const visible = (at: string): string[] => list(at).filter((name) => !name.startsWith('.'))
  return visible(modules).flatMap((name) =>
    name.startsWith('@') ? visible(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  )
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // The folder is missing, or is a file.
    return []
  }
}

/** Reads a package at the top level of node_modules. Returns undefined if it is missing. */
export function readEntry(folder: string, name: string): Entry | undefined {
  const { version, scripts } = readJson(join(folder, MODULES, name, 'package.json'))
  if (typeof version !== 'string') return undefined
  return { version, hasScripts: typeof scripts === 'object' && scripts !== null && SCRIPTS.some((script) => script in scripts) }
}

/** Compares node_modules before and after an install. `project` is a virtual path. */
export function compareTrees(
  before: Tree,
  after: Tree,
  project: string,
  scripts: boolean,
): Pick<InstallReport, 'added' | 'updated' | 'removed' | 'unchanged' | 'warnings'> {
  const shown = (path: string, { version }: Entry): InstalledPackage => ({ name: nameOf(path), version, path: joinPath(project, path) })
  const added: InstalledPackage[] = []
  const updated: (InstalledPackage & { readonly from: string })[] = []
  const warnings: InstallWarning[] = []
  for (const [path, entry] of after) {
    const old = before.get(path)
    if (old?.version === entry.version) continue
    if (old) updated.push({ ...shown(path, entry), from: old.version })
    else added.push(shown(path, entry))
    warnings.push(...warningsOf(nameOf(path), entry, scripts))
  }
  const removed = [...before].filter(([path]) => !after.has(path)).map(([path, entry]) => shown(path, entry))
  return { added, updated, removed, unchanged: after.size - added.length - updated.length, warnings }
}

function warningsOf(name: string, { version, deprecated, hasScripts }: Entry, scripts: boolean): InstallWarning[] {
  const warning = (kind: InstallWarning['kind'], message: string): InstallWarning => ({
    kind,
    name,
    version,
    message: `${name}@${version} ${message}`,
  })
  return [
    ...(deprecated === undefined ? [] : [warning('deprecated', `is deprecated: ${deprecated.slice(0, 500)}`)]),
    ...(hasScripts && !scripts
      ? [warning('install_script', 'wants to run a script when it is installed, which was not done: it may not work')]
      : []),
  ]
}

function nameOf(path: string): string {
  const at = path.lastIndexOf(`${MODULES}/`)
  return at < 0 ? basename(path) : path.slice(at + MODULES.length + 1)
}
