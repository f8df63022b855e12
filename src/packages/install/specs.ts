import satisfies from 'semver/functions/satisfies.js'
import valid from 'semver/functions/valid.js'
import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import { installError, shown } from './faults.js'
import { isPackageName } from './names.js'

/** What is wanted of a package. */
export interface Spec {
  /** Of the package at the registry; an alias leads to another one than its own. */
  readonly registryName: string
  readonly kind: 'range' | 'version' | 'tag'
  /** Range, version or tag; any version is `*`. */
  readonly wanted: string
}

/** What is asked for by name. */
export interface Request extends Spec {
  /** Of the directory. */
  readonly name: string
  /** No version was named. */
  readonly any: boolean
  readonly text: string
}

const LOOSE = { loose: true } as const
/** `git+ssh://`, `github:`, `file:`, `workspace:`, `https://`; `npm:` is dealt with before. */
const PROTOCOL = /^[a-z][a-z0-9+.-]*:/i
const PATH = /^(?:[./~\\]|[A-Za-z]:[\\/])/

/** `name`, `name@wanted`, `@scope/name@wanted`, `alias@npm:name@wanted`. @throws {InputError} `name`, `spec` */
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

/** What a dependency says. `by` goes on after the name of the package in messages. @throws {InputError} `name`, `spec` */
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

/** Whether a version is what is wanted. A tag is not known any more: any version that was once chosen for it will do. */
export function fits(spec: Spec, registryName: string, version: string): boolean {
  if (spec.registryName !== registryName) return false
  return spec.kind === 'tag' || spec.wanted === '*' || satisfies(version, spec.wanted, LOOSE)
}

/**
 * What package.json says from now on, as npm saves it: `^` and the version, unless that allows more than the range that was asked for.
 */
export function savedSpec(request: Request, version: string): string {
  const caret = `^${version}`
  const range = request.any || request.kind !== 'range' || subset(caret, request.wanted, LOOSE) ? caret : request.wanted
  return request.registryName === request.name ? range : `npm:${request.registryName}@${range}`
}

function badName(name: string, by: string): Error {
  return installError('name', `Cannot install ${shown(name)}${by}: it is not a name that a package can have`)
}

function unsupported(given: string, by: string): Error {
  return installError(
    'spec',
    `Cannot install ${shown(given)}${by}: only packages of the registry can be had here, by version, range or tag, not git, files, folders, links or addresses of tarballs`,
  )
}
