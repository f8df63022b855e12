import satisfies from 'semver/functions/satisfies.js'
import valid from 'semver/functions/valid.js'
import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import { installError, shown } from './faults.js'
import { isPackageName } from './names.js'

/** A parsed dependency. */
export interface Spec {
  /** Name at the registry. For an alias it differs from the directory's name. */
  readonly registryName: string
  readonly kind: 'range' | 'version' | 'tag'
  /** Range, version or tag; `*` means any version. */
  readonly wanted: string
}

/** A package requested by name. */
export interface Request extends Spec {
  /** Name of the directory. */
  readonly name: string
  /** Whether no version was given. */
  readonly any: boolean
  readonly text: string
}

const LOOSE = { loose: true } as const
/** Protocols such as `git+ssh://`, `github:`, `file:`, `workspace:`, `https://`. The protocol `npm:` is handled before. */
const PROTOCOL = /^[a-z][a-z0-9+.-]*:/i
const PATH = /^(?:[./~\\]|[A-Za-z]:[\\/])/

/** Parses `name`, `name@wanted`, `@scope/name@wanted` or `alias@npm:name@wanted`. @throws {InputError} `name`, `spec` */
export function parseRequest(text: string): Request {
  const given = text.trim()
  const at = given.indexOf('@', 1)
  const name = at < 0 ? given : given.slice(0, at)
  const wanted = at < 0 ? '' : given.slice(at + 1)
  const slashes = name.split('/').length - 1
  const place = PROTOCOL.test(name) || PATH.test(given) || slashes > (name.startsWith('@') ? 1 : 0)
  if (place) throw unsupported(given, '')
  if (!isPackageName(name)) throw badName(name, given === name ? '' : ` (of ${shown(given)})`)
  return { name, text: given, any: wanted.trim() === '', ...parseSpec(name, wanted, '') }
}

/** Parses the value of a dependency. `by` follows the package's name in messages. @throws {InputError} `name`, `spec` */
export function parseSpec(name: string, given: string, by: string): Spec {
  if (!isPackageName(name)) throw badName(name, by)
  const text = given.trim()
  if (!text.startsWith('npm:')) return { registryName: name, ...classify(name, text, by) }
  const aliased = text.slice(4)
  const at = aliased.indexOf('@', 1)
  const registryName = at < 0 ? aliased : aliased.slice(0, at)
  if (!isPackageName(registryName)) throw badName(registryName, by)
  return { registryName, ...classify(name, at < 0 ? '' : aliased.slice(at + 1), by) }
}

function classify(name: string, given: string, by: string): Pick<Spec, 'kind' | 'wanted'> {
  const text = given.trim()
  if (text === '' || text === '*') return { kind: 'range', wanted: '*' }
  const version = valid(text, LOOSE)
  if (version) return { kind: 'version', wanted: version }
  if (validRange(text, LOOSE) !== null) return { kind: 'range', wanted: text }
  if (PROTOCOL.test(text) || text.includes('/') || PATH.test(text)) throw unsupported(`${name}@${text}`, by)
  if (encodeURIComponent(text) === text) return { kind: 'tag', wanted: text }
  throw installError('spec', `Cannot install ${shown(`${name}@${text}`)}${by}: it is neither a version nor a range nor a tag`)
}

/** Whether a version satisfies a spec. Tags cannot be checked later, so any version of the package satisfies a tag. */
export function fits(spec: Spec, registryName: string, version: string): boolean {
  if (spec.registryName !== registryName) return false
  return spec.kind === 'tag' || spec.wanted === '*' || satisfies(version, spec.wanted, LOOSE)
}

/** Returns the range to save in package.json, as in npm: `^` and the version, unless `^` allows more than the requested range. */
export function savedSpec(request: Request, version: string): string {
  const caret = `^${version}`
  const range = request.any || request.kind !== 'range' || subset(caret, request.wanted, LOOSE) ? caret : request.wanted
  return request.registryName === request.name ? range : `npm:${request.registryName}@${range}`
}

function badName(name: string, by: string): Error {
  return installError('name', `Cannot install ${shown(name)}${by}: it is not a valid package name`)
}

function unsupported(given: string, by: string): Error {
  return installError(
    'spec',
    `Cannot install ${shown(given)}${by}: only registry packages by version, range or tag are supported, not git, files, folders, links or tarball URLs`,
  )
}
