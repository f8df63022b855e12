import { ignoreCodes } from '../../errors/index.js'
import { isRecord } from '../../ops/is-record.js'
import type { Workspace } from '../../types/workspace.js'
import { baseName, parentPath } from '../../workspace/paths.js'
import { binsOf, fromLock, fundingOf, licenseOf, type PackageEntry, textsOf } from './entry.js'
import { installError, shown } from './faults.js'
import { isPackageName } from './names.js'
import { type Project, parseObject } from './project.js'
import { addNode, type Flags, type Overrides, type TreeNode } from './tree.js'

/** Packages of a lock file by their path, `node_modules/a/node_modules/b`. */
export interface LockFile {
  /** Text of the file. Undefined: no lock file. */
  readonly text?: string
  readonly packages: ReadonlyMap<string, PackageEntry>
  /** Packages bundled in the tarballs of others. */
  readonly bundled: ReadonlyMap<string, PackageEntry>
}

const NONE: LockFile = { packages: new Map(), bundled: new Map() }
const LARGEST = 64 * 1024 * 1024

/**
 * Reads npm's `package-lock.json`, or npm's list in node_modules. Ignores a lock file of npm 6 or older (`lockfileVersion` 1).
 *
 * @throws {InputError} `project`, if the file is damaged or contains unsupported dependencies
 */
export async function readLockFile(workspace: Workspace, path: string): Promise<LockFile> {
  const file = await workspace.readText(path, { maxBytes: LARGEST }).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  if (!file) return NONE
  const { packages, lockfileVersion } = parseObject(path, file.text)
  if (lockfileVersion === 1) return { ...NONE, text: file.text }
  if (!isRecord(packages)) throw damaged(path, 'it has no "packages"')
  const own = new Map<string, PackageEntry>()
  const bundled = new Map<string, PackageEntry>()
  for (const [key, raw] of Object.entries(packages)) {
    if (key === '') continue
    if (isRecord(raw) && (raw.link === true || !key.startsWith('node_modules/')))
      throw damaged(path, `${shown(key)} is a link or a workspace, which are not supported here`)
    const names = namesOf(key)
    const entry = names && fromLock(names.at(-1) as string, raw)
    if (!entry) throw damaged(path, `${shown(key)} is not a package`)
    const inBundle = isRecord(raw) && raw.inBundle === true
    ;(inBundle ? bundled : own).set(key, entry)
  }
  return { text: file.text, packages: own, bundled }
}

function damaged(path: string, why: string): Error {
  return installError('project', `Cannot install: ${why} ("${path}"). Remove the file to resolve all versions again`)
}

/** Returns the package names in a path: `a` and `@b/c` for `node_modules/a/node_modules/@b/c`. Undefined for any other path. */
export function namesOf(path: string): readonly string[] | undefined {
  if (!path.startsWith('node_modules/')) return undefined
  const names = path.slice('node_modules/'.length).split('/node_modules/')
  return names.every(isPackageName) ? names : undefined
}

/** Adds the locked packages to the tree. Skips packages whose parent is missing. */
export function addLocked(project: TreeNode, { packages }: LockFile, overrides: Overrides): void {
  for (const [path, entry] of [...packages].sort(([a], [b]) => a.length - b.length)) {
    const names = namesOf(path) as readonly string[]
    let parent: TreeNode | undefined = project
    for (const name of names.slice(0, -1)) parent = parent?.children.get(name)
    if (parent) addNode(parent, names.at(-1) as string, entry, undefined, overrides)
  }
}

export interface LockContent {
  readonly packages: ReadonlyMap<string, { readonly entry: PackageEntry; readonly flags: Flags }>
  readonly bundled: ReadonlyMap<string, PackageEntry>
}

/** Creates the text of the lock file, byte-identical to npm's. With `hidden`, creates the list in node_modules, which omits the project. */
export function lockText(project: Project, { packages, bundled }: LockContent, hidden: boolean): string {
  const { json, path } = project
  const all: [string, unknown][] = hidden ? [] : [['', projectEntry(json)]]
  for (const [at, { entry, flags }] of packages) all.push([at, { ...entry, ...flagged(flags) }])
  for (const [at, entry] of bundled) all.push([at, { ...entry, inBundle: true }])
  const name = typeof json.name === 'string' && json.name !== '' ? json.name : baseName(parentPath(path)) || 'project'
  const version = typeof json.version === 'string' && json.version !== '' ? { version: json.version } : {}
  return `${JSON.stringify(ordered({ name, ...version, lockfileVersion: 3, requires: true, packages: Object.fromEntries(all) }), null, 2)}\n`
}

function flagged({ peer, dev, optional, devOptional }: Flags): Readonly<Record<string, true>> {
  return {
    ...(peer && { peer }),
    ...(dev && { dev }),
    ...(optional && { optional }),
    ...(devOptional && !dev && !optional && { devOptional }),
  } as Readonly<Record<string, true>>
}

const PROJECT_TEXTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'engines'] as const
const PROJECT_SCRIPTS = ['preinstall', 'install', 'postinstall']

function projectEntry(json: Project['json']): Readonly<Record<string, unknown>> {
  const entry: Record<string, unknown> = {}
  for (const key of ['name', 'version']) if (typeof json[key] === 'string' && json[key] !== '') entry[key] = json[key]
  const optional = textsOf(json.optionalDependencies)
  for (const key of PROJECT_TEXTS) entry[key] = textsOf(json[key], key === 'dependencies' ? optional : undefined)
  entry.license = licenseOf(json.license)
  entry.funding = fundingOf(json.funding)
  entry.bin = typeof json.name === 'string' ? binsOf(json.name, json.bin) : undefined
  const { scripts } = json
  if (isRecord(scripts) && PROJECT_SCRIPTS.some((name) => Object.hasOwn(scripts, name))) entry.hasInstallScript = true
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))
}

const FIRST = ['name', 'version', 'lockfileVersion', 'resolved', 'integrity', 'requires', 'packages', 'dependencies']

/** Sorts keys: plain values before objects, then the keys of `FIRST`, then by name. */
function ordered(value: unknown): unknown {
  if (!isRecord(value)) return value
  const rank = (key: string): number => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length)
  const entries = Object.entries(value).sort(([a, left], [b, right]) =>
    isRecord(left) === isRecord(right) ? rank(a) - rank(b) || a.localeCompare(b, 'en') : isRecord(left) ? 1 : -1,
  )
  return Object.fromEntries(entries.map(([key, each]) => [key, ordered(each)]))
}
