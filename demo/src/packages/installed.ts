import type { Workspace } from 'toolport'

/** A dependency of the project. */
export interface ProjectPackage {
  readonly name: string
  /** The version range in package.json. */
  readonly wanted: string
  /** Installed version. Undefined: not installed. */
  readonly version: string | undefined
  readonly dev: boolean
}

const LISTS = [
  ['dependencies', false],
  ['optionalDependencies', false],
  ['devDependencies', true],
] as const

type Json = Readonly<Record<string, unknown>>

/** The dependencies in package.json, by name. Empty without a package.json. @throws {Error} for invalid JSON */
export async function projectPackages(workspace: Workspace): Promise<readonly ProjectPackage[]> {
  const json = await readJson(workspace, 'package.json')
  const all = new Map<string, Omit<ProjectPackage, 'version'>>()
  for (const [list, dev] of LISTS) {
    for (const [name, wanted] of Object.entries(recordOf(json?.[list])))
      if (typeof wanted === 'string' && !all.has(name)) all.set(name, { name, wanted, dev })
  }
  const packages = [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return Promise.all(packages.map(async (one) => ({ ...one, version: await versionOf(workspace, one.name) })))
}

async function versionOf(workspace: Workspace, name: string): Promise<string | undefined> {
  // An unreadable package.json counts as not installed: reinstalling the package repairs that.
  const json = await readJson(workspace, `node_modules/${name}/package.json`).catch(() => undefined)
  return typeof json?.version === 'string' ? json.version : undefined
}

async function readJson(workspace: Workspace, path: string): Promise<Json | undefined> {
  if (!(await workspace.exists(path))) return undefined
  const { text } = await workspace.readText(path)
  try {
    return recordOf(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${path} is not JSON. ${cause instanceof Error ? cause.message : ''}`, { cause })
  }
}

const recordOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
