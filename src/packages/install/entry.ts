import valid from 'semver/functions/valid.js'
import { isRecord } from '../../ops/is-record.js'
import { fromShasum } from './integrity.js'
import { bareName, isPackageName } from './names.js'

type Texts = Readonly<Record<string, string>>

/** The data of a package in the lock file. Unknown fields are dropped. */
export interface PackageEntry {
  /** Name at the registry, if it differs from the directory's name. */
  readonly name?: string
  readonly version: string
  /** URL of the tarball, as given by the registry. */
  readonly resolved?: string
  readonly integrity?: string
  readonly dependencies?: Texts
  /** Optional dependencies. `dependencies` does not include these. */
  readonly optionalDependencies?: Texts
  readonly peerDependencies?: Texts
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly bundleDependencies?: readonly string[]
  /** The file of each command, relative to the package. */
  readonly bin?: Texts
  readonly engines?: Texts
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly deprecated?: string
  readonly hasInstallScript?: boolean
  readonly license?: string
  readonly funding?: unknown
}

const SCRIPTS = ['preinstall', 'install', 'postinstall']

/** Reads the metadata of one version. Undefined if invalid. */
export function fromMetadata(registryName: string, version: string, raw: unknown): PackageEntry | undefined {
  if (!isRecord(raw) || raw.version !== version || raw.name !== registryName) return undefined
  const { dist, scripts } = raw
  const { tarball, integrity, shasum } = isRecord(dist) ? dist : {}
  const digest = typeof integrity === 'string' && integrity.trim() !== '' ? integrity : fromShasum(shasum)
  const runs =
    raw.hasInstallScript === true || raw.gypfile === true || (isRecord(scripts) && SCRIPTS.some((name) => Object.hasOwn(scripts, name)))
  return entryOf(registryName, version, {
    ...raw,
    resolved: tarball,
    integrity: digest,
    hasInstallScript: runs,
  })
}

/** Reads an entry of a lock file. Undefined if invalid. */
export function fromLock(name: string, raw: unknown): PackageEntry | undefined {
  if (!isRecord(raw) || typeof raw.version !== 'string' || !valid(raw.version, { loose: true })) return undefined
  const registryName = typeof raw.name === 'string' ? raw.name : name
  // Check the name, because URLs are built from it.
  if (!isPackageName(registryName)) return undefined
  return { ...(registryName !== name && { name: registryName }), ...entryOf(registryName, raw.version, raw) }
}

function entryOf(registryName: string, version: string, raw: Readonly<Record<string, unknown>>): PackageEntry {
  const optional = textsOf(raw.optionalDependencies)
  // Full metadata lists optional dependencies in both fields.
  const dependencies = textsOf(raw.dependencies, optional)
  const bundled = raw.bundleDependencies === true ? Object.keys(dependencies ?? {}) : (raw.bundleDependencies ?? raw.bundledDependencies)
  return dropMissing({
    version,
    resolved: textOf(raw.resolved),
    integrity: textOf(raw.integrity),
    dependencies,
    optionalDependencies: optional,
    peerDependencies: textsOf(raw.peerDependencies),
    peerDependenciesMeta: peersMetaOf(raw.peerDependenciesMeta),
    bundleDependencies: listOf(bundled),
    bin: binsOf(registryName, raw.bin),
    engines: textsOf(raw.engines),
    os: listOf(raw.os),
    cpu: listOf(raw.cpu),
    libc: listOf(raw.libc),
    deprecated: textOf(raw.deprecated),
    hasInstallScript: raw.hasInstallScript === true ? true : undefined,
    license: licenseOf(raw.license),
    funding: fundingOf(raw.funding),
  }) as unknown as PackageEntry
}

/** Returns the file of each command. Keeps only commands that are bare names, with files inside the package. */
export function binsOf(registryName: string, raw: unknown): Texts | undefined {
  const given = typeof raw === 'string' ? { [bareName(registryName)]: raw } : isRecord(raw) ? raw : {}
  const bins: [string, string][] = []
  for (const [key, value] of Object.entries(given)) {
    const command = key.replaceAll(/[\\:]/g, '/').split('/').at(-1) ?? ''
    if (!/^(?!__)[\w~-][\w.~+-]*$/.test(command) || typeof value !== 'string') continue
    const parts = value
      .replaceAll('\\', '/')
      .split('/')
      .filter((part) => part !== '' && part !== '.')
    if (parts.length > 0 && !parts.includes('..')) bins.push([command, parts.join('/')])
  }
  return bins.length > 0 ? Object.fromEntries(bins) : undefined
}

/** Returns the name of the license, in npm's format. */
export function licenseOf(raw: unknown): string | undefined {
  return textOf(isRecord(raw) ? raw.type : raw)
}

/** Returns the funding field in npm's format: a single URL becomes an object, unless it is in a list. */
export function fundingOf(raw: unknown): unknown {
  if (typeof raw === 'string') return raw === '' ? undefined : { url: raw }
  const empty = typeof raw === 'object' && raw !== null && Object.keys(raw).length === 0
  return raw === null || empty ? undefined : raw
}

/** Returns the string values of a record, except those with the keys of `except`. Undefined if no value is left. */
export function textsOf(raw: unknown, except?: Texts): Texts | undefined {
  if (!isRecord(raw)) return undefined
  const texts = Object.entries(raw).filter(([key, value]) => typeof value === 'string' && !(except && Object.hasOwn(except, key)))
  return texts.length > 0 ? (Object.fromEntries(texts) as Texts) : undefined
}

function textOf(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw !== '' ? raw : undefined
}

function listOf(raw: unknown): readonly string[] | undefined {
  const all = (Array.isArray(raw) ? raw : [raw]).filter((each): each is string => typeof each === 'string')
  return all.length > 0 ? all : undefined
}

function peersMetaOf(raw: unknown): PackageEntry['peerDependenciesMeta'] {
  if (!isRecord(raw)) return undefined
  const all = Object.entries(raw).filter(([, value]) => isRecord(value) && value.optional === true)
  return all.length > 0 ? Object.fromEntries(all.map(([name]) => [name, { optional: true }])) : undefined
}

function dropMissing(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
