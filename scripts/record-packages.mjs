// Records real packages for tests, from npm's configured registry, in the versions that match now. Metadata keeps only the needed versions,
// with tarball URLs on a host that does not exist. Tarballs stay unchanged.
// `node scripts/record-packages.mjs` records the packages in test/packages/registry. `node scripts/record-packages.mjs tried` records the
// metadata in test/packages/tried, whose tarballs are too large for the repository.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import semver from 'semver'
import { PROGRAMS } from '../test/packages/tried/programs.mjs'

const ofTried = process.argv[2] === 'tried'
const FOLDER = new URL(`../test/packages/${ofTried ? 'tried' : 'registry'}/`, import.meta.url)
const HOST = 'https://registry.example/'

/** Recorded with all their dependencies. */
const RECORDED = [
  ...['is-number@7', 'is-odd@3', 'lodash-es@4', 'nanoid@5', 'nanoid@4', 'semver@7', 'uuid@11', 'yaml@2', 'zod@4'],
  ...['express@5', 'hono@4', '@hono/node-server@2', 'preact@10', 'react@19', 'react-dom@19', 'svelte@5', '@vue/runtime-dom@3'],
]
const TRIED = Object.entries(PROGRAMS).flatMap(([spec, { with: others = [] }]) => [spec, ...others])

/** The fields of a version in abbreviated metadata. */
const KEPT = [
  ...['name', 'version', 'deprecated', 'dependencies', 'optionalDependencies', 'bundleDependencies', 'peerDependencies'],
  ...['peerDependenciesMeta', 'bin', 'dist', 'engines', 'cpu', 'os', 'libc', 'funding', 'hasInstallScript'],
]

const npm = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
const registry = npm.endsWith('/') ? npm : `${npm}/`

/** @type {Map<string, Promise<any>>} */
const packuments = new Map()
/** @type {Map<string, Set<string>>} name -> versions */
const wanted = new Map()
/** @type {Map<string, { name: string; version: string; address: string }>} */
const tarballs = new Map()

/** @param {string} name */
function packument(name) {
  const known = packuments.get(name)
  if (known) return known
  const got = get(registry + name.replace('/', '%2f'), 'application/vnd.npm.install-v1+json').then((response) => response.json())
  packuments.set(name, got)
  return got
}

/** @param {string} address @param {string} [accept] */
async function get(address, accept = '*/*') {
  const response = await fetch(address, { headers: { accept } })
  if (!response.ok) throw new Error(`${response.status} for ${address.replace(registry, '')}`)
  return response
}

/** @param {string} name @param {string} range */
async function want(name, range) {
  const { versions, 'dist-tags': tags } = await packument(name)
  const latest = tags.latest
  const version = semver.satisfies(latest, range) ? latest : semver.maxSatisfying(Object.keys(versions), range)
  if (!version) throw new Error(`${name}@${range}`)
  const known = wanted.get(name) ?? new Set()
  wanted.set(name, known)
  const manifest = versions[version]
  tarballs.set(`${name}@${version}`, { name, version, address: manifest.dist.tarball })
  if (known.has(version)) return
  known.add(version)
  for (const [dependency, spec] of Object.entries(manifest.dependencies ?? {})) await want(dependency, String(spec))
}

/** @param {any} manifest @param {string} name */
function reduced(manifest, name) {
  const kept = Object.fromEntries(KEPT.filter((key) => manifest[key] !== undefined).map((key) => [key, manifest[key]]))
  if (manifest.scripts && ['preinstall', 'install', 'postinstall'].some((script) => manifest.scripts[script])) kept.hasInstallScript = true
  const { integrity, shasum, tarball } = manifest.dist
  const at = tarball.indexOf(`/${name}/-/`)
  return { ...kept, dist: { integrity, shasum, tarball: HOST + tarball.slice(at + 1) } }
}

/** @param {string} name */
async function record(name) {
  const { versions, 'dist-tags': tags } = await packument(name)
  const kept = [...(wanted.get(name) ?? [])].sort(semver.compare)
  // If the latest version is not kept, uses the highest version that is kept.
  const latest = kept.includes(tags.latest) ? tags.latest : kept.at(-1)
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(kept.map((version) => [version, reduced(versions[version], name)])) }
}

for (const spec of ofTried ? TRIED : RECORDED) {
  const at = spec.indexOf('@', 1)
  await (at < 0 ? want(spec, '*') : want(spec.slice(0, at), spec.slice(at + 1)))
}
/** @type {Record<string, any>} */
const metadata = {}
for (const name of [...wanted.keys()].sort()) metadata[name] = await record(name)

mkdirSync(FOLDER, { recursive: true })
if (!ofTried) {
  for (const file of readdirSync(FOLDER)) rmSync(new URL(file, FOLDER))
  for (const { name, version, address } of tarballs.values()) {
    const bytes = new Uint8Array(await (await get(address)).arrayBuffer())
    writeFileSync(new URL(`${name.replace('/', '+')}-${version}.tgz`, FOLDER), bytes)
  }
}
const lines = Object.entries(metadata).map(([name, one]) => `${JSON.stringify(name)}: ${JSON.stringify(one)}`)
writeFileSync(new URL('metadata.json', FOLDER), `{\n${lines.join(',\n')}\n}\n`)
console.log(`recorded ${wanted.size} packages, ${tarballs.size} tarballs`)
