import compare from 'semver/functions/compare.js'
import satisfies from 'semver/functions/satisfies.js'
import valid from 'semver/functions/valid.js'
import { isRecord } from '../../ops/is-record.js'
import type { Slicer } from '../../workspace/slicer.js'
import { fromMetadata, type PackageEntry } from './entry.js'
import { installError, registryError, shown } from './faults.js'
import type { Spec } from './specs.js'

/** The metadata of a package at the registry. */
export interface Metadata {
  readonly name: string
  readonly tags: ReadonlyMap<string, string>
  /** The data of each version, not validated yet. */
  readonly versions: ReadonlyMap<string, unknown>
}

const LOOSE = { loose: true } as const
/** Cost of validating one version, in units of the slicer. */
const STEPS = 8
const TAGS_SHOWN = 8

/**
 * Parses full or abbreviated metadata. Skips invalid versions and tags.
 *
 * @throws {NetworkError} for invalid metadata, or metadata of another package
 */
export function parseMetadata(name: string, raw: unknown): Metadata {
  if (!isRecord(raw) || !isRecord(raw.versions))
    throw registryError(`Cannot install ${shown(name)}: the registry's answer describes no package`)
  if (raw.name !== name) throw registryError(`Cannot install ${shown(name)}: the registry's answer describes another package`)
  const versions = new Map(Object.entries(raw.versions).filter(([version]) => valid(version, LOOSE) !== null))
  const tags = new Map<string, string>()
  for (const [tag, version] of isRecord(raw['dist-tags']) ? Object.entries(raw['dist-tags']) : []) {
    if (typeof version === 'string' && versions.has(version)) tags.set(tag, version)
  }
  return { name, tags, versions }
}

/**
 * Picks the same version as npm: the version tagged `latest` if it matches and is not deprecated, else the highest match. Prefers versions
 * that are not deprecated and not made for another Node version.
 *
 * @throws {InputError} `no_version`, with the available versions
 */
export async function pickVersion(
  metadata: Metadata,
  spec: Spec,
  by: string,
  nodeVersion: string | undefined,
  slicer: Slicer,
): Promise<PackageEntry> {
  const found = spec.kind === 'range' ? await pickRange(metadata, spec.wanted, nodeVersion, slicer) : pickExact(metadata, spec)
  if (found) return found
  throw noVersion(metadata, spec, by)
}

/** Whether the package supports this Node version. An unknown version counts as supported. */
export function suitsEngine({ engines }: PackageEntry, nodeVersion: string | undefined): boolean {
  return (
    nodeVersion === undefined ||
    engines?.node === undefined ||
    satisfies(nodeVersion, engines.node, { includePrerelease: true, loose: true })
  )
}

function pickExact(metadata: Metadata, { kind, wanted }: Spec): PackageEntry | undefined {
  const version = kind === 'tag' ? metadata.tags.get(wanted) : wanted
  return version === undefined ? undefined : entryOf(metadata, version)
}

async function pickRange(
  metadata: Metadata,
  range: string,
  nodeVersion: string | undefined,
  slicer: Slicer,
): Promise<PackageEntry | undefined> {
  const latest = metadata.tags.get('latest')
  if (latest !== undefined && (range === '*' || satisfies(latest, range, LOOSE))) {
    const entry = entryOf(metadata, latest)
    if (entry && entry.deprecated === undefined && suitsEngine(entry, nodeVersion)) return entry
  }
  let best: PackageEntry | undefined
  for (const version of metadata.versions.keys()) {
    if (slicer.due(STEPS)) await slicer.pause()
    if (!satisfies(version, range, LOOSE)) continue
    const entry = entryOf(metadata, version)
    if (entry && (!best || isBetter(entry, best, nodeVersion))) best = entry
  }
  return best
}

function isBetter(a: PackageEntry, b: PackageEntry, nodeVersion: string | undefined): boolean {
  const rank = (entry: PackageEntry): number => {
    const [current, suits] = [entry.deprecated === undefined, suitsEngine(entry, nodeVersion)]
    return (current && suits ? 4 : 0) + (suits ? 2 : 0) + (current ? 1 : 0)
  }
  return rank(a) - rank(b) > 0 || (rank(a) === rank(b) && compare(a.version, b.version, LOOSE) > 0)
}

function entryOf({ name, versions }: Metadata, version: string): PackageEntry | undefined {
  return versions.has(version) ? fromMetadata(name, version, versions.get(version)) : undefined
}

function noVersion({ name, tags, versions }: Metadata, { kind, wanted }: Spec, by: string): Error {
  let newest: string | undefined
  for (const version of versions.keys()) if (newest === undefined || compare(version, newest, LOOSE) > 0) newest = version
  const listed = [...tags].slice(0, TAGS_SHOWN).map(([tag, version]) => `${tag} ${version}`)
  const there =
    newest === undefined ? 'it has no versions' : `the newest is ${newest}${listed.length > 0 ? `; tags: ${listed.join(', ')}` : ''}`
  const what = kind === 'tag' ? 'there is no such tag' : kind === 'version' ? 'there is no such version' : 'no version fits'
  return installError('no_version', `Cannot install ${shown(`${name}@${wanted}`)}${by}: ${what} (${there})`, { package: name, newest })
}
