import { isRecord } from '../../ops/is-record.js'
import type { Manifest } from './manifest.js'
import { invalidSpecifier, urlPath } from './specifiers.js'
import { Unresolved } from './unresolved.js'

/** The target of an `exports` or `imports` map: a file of the package or, for imports only, another specifier. */
export type Mapped = { readonly path: string } | { readonly specifier: string }

interface Question {
  readonly manifest: Manifest
  readonly field: 'exports' | 'imports'
  /** The requested key, or the pattern that it matches. */
  readonly key: string
  /** The text that replaces `*`; absent if the key is not a pattern. */
  readonly star?: string
  readonly conditions: ReadonlySet<string>
  readonly importer: string
}

/**
 * Resolves `subpath` (`.` or `./x`) with the `exports` of a package.
 *
 * @throws {Unresolved} ERR_PACKAGE_PATH_NOT_EXPORTED, ERR_INVALID_PACKAGE_TARGET, ERR_INVALID_PACKAGE_CONFIG, ERR_INVALID_MODULE_SPECIFIER
 */
export function mapExports(manifest: Manifest, subpath: string, conditions: ReadonlySet<string>, importer: string): Mapped {
  const map = exportsMap(manifest, importer)
  const target = lookUp(map, subpath, { manifest, field: 'exports', conditions, importer })
  if (target) return target
  const main = subpath === '.'
  const what = main
    ? `No "exports" main defined in ${manifest.path}`
    : `Package subpath '${subpath}' is not defined by "exports" in ${manifest.path}`
  throw new Unresolved('ERR_PACKAGE_PATH_NOT_EXPORTED', `${what} imported from ${importer}${offer(map, conditions)}`)
}

/**
 * Resolves `#name` with the `imports` of the importer's package.
 *
 * @throws {Unresolved} ERR_PACKAGE_IMPORT_NOT_DEFINED and as above
 */
export function mapImports(manifest: Manifest | undefined, name: string, conditions: ReadonlySet<string>, importer: string): Mapped {
  if (name === '#' || name.startsWith('#/') || name.endsWith('/')) {
    throw invalidSpecifier(name, 'is not a valid internal imports specifier name', importer)
  }
  const map = manifest?.imports
  const target = manifest && map && lookUp(map, name, { manifest, field: 'imports', conditions, importer })
  if (target) return target
  const where = manifest ? ` in package ${manifest.path}` : ''
  const known = map ? `\nIt defines: ${Object.keys(map).slice(0, OFFERED).join(', ')}` : ''
  throw new Unresolved(
    'ERR_PACKAGE_IMPORT_NOT_DEFINED',
    `Package import specifier "${name}" is not defined${where} imported from ${importer}${known}`,
  )
}

const OFFERED = 20

function offer(map: Readonly<Record<string, unknown>>, conditions: ReadonlySet<string>): string {
  const keys = Object.keys(map).filter((key) => map[key] !== null)
  return `\nIt exports: ${keys.slice(0, OFFERED).join(', ')}${keys.length > OFFERED ? ', ...' : ''} (conditions: ${[...conditions].join(', ')})`
}

/** Returns `exports` as a map of subpaths. A value of any other form is the target of `.`. */
function exportsMap({ exports, path }: Manifest, importer: string): Record<string, unknown> {
  if (typeof exports === 'string' || Array.isArray(exports)) return { '.': exports }
  if (!isRecord(exports)) return {}
  const keys = Object.keys(exports)
  const subpaths = keys.filter((key) => key.startsWith('.')).length
  if (subpaths > 0 && subpaths < keys.length) {
    throw badConfig(path, importer, '"exports" cannot contain some keys starting with \'.\' and some not: they are subpaths or conditions')
  }
  return subpaths > 0 || keys.length === 0 ? exports : { '.': exports }
}

function lookUp(map: Readonly<Record<string, unknown>>, name: string, rest: Omit<Question, 'key' | 'star'>): Mapped | undefined {
  if (Object.hasOwn(map, name) && !name.includes('*') && !name.endsWith('/'))
    return resolveTarget(map[name], { ...rest, key: name }) ?? undefined
  const key = Object.keys(map)
    .filter((pattern) => fits(pattern, name))
    .sort(byPrecision)[0]
  if (key === undefined) return undefined
  const at = key.indexOf('*')
  const star = name.slice(at, name.length - (key.length - at - 1))
  return resolveTarget(map[key], { ...rest, key, star }) ?? undefined
}

/** Whether a pattern with one star matches. The star stands for at least one character. */
function fits(pattern: string, name: string): boolean {
  const at = pattern.indexOf('*')
  if (at < 0 || pattern.lastIndexOf('*') !== at || name.length < pattern.length) return false
  return name.startsWith(pattern.slice(0, at)) && name.endsWith(pattern.slice(at + 1))
}

/** Compares patterns: a longer text before the star comes first, then a longer pattern. */
function byPrecision(a: string, b: string): number {
  return b.indexOf('*') - a.indexOf('*') || b.length - a.length
}

/** Resolves a target. undefined: no condition matches, so try the next target. null: the subpath is not exported. */
function resolveTarget(target: unknown, question: Question): Mapped | null | undefined {
  if (typeof target === 'string') return resolveText(target, question)
  if (Array.isArray(target)) return resolveFirst(target, question)
  if (target === null) return null
  if (!isRecord(target)) throw badTarget(target, question)
  return resolveConditions(target, question)
}

function resolveConditions(target: Readonly<Record<string, unknown>>, question: Question): Mapped | null | undefined {
  const keys = Object.keys(target)
  if (keys.some((key) => /^(?:0|[1-9]\d{0,9})$/.test(key))) {
    throw badConfig(question.manifest.path, question.importer, '"exports" cannot contain numeric property keys.')
  }
  for (const key of keys) {
    if (key !== 'default' && !question.conditions.has(key)) continue
    const found = resolveTarget(target[key], question)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the first target that resolves. Skips invalid targets. */
function resolveFirst(targets: readonly unknown[], question: Question): Mapped | null | undefined {
  let last: unknown = targets.length === 0 ? null : undefined
  for (const target of targets) {
    try {
      const found = resolveTarget(target, question)
      if (found) return found
      if (found === null) last = null
    } catch (error) {
      if (!(error instanceof Unresolved) || error.code !== 'ERR_INVALID_PACKAGE_TARGET') throw error
      last = error
    }
  }
  if (last instanceof Unresolved) throw last
  return last === null ? null : undefined
}

function resolveText(target: string, question: Question): Mapped {
  const { field, star, manifest, importer } = question
  const filled = star === undefined ? target : target.replaceAll('*', () => star)
  if (!target.startsWith('./')) {
    const elsewhere = field === 'imports' && !target.startsWith('../') && !target.startsWith('/')
    if (!elsewhere || isUrl(target)) throw badTarget(target, question)
    return { specifier: filled }
  }
  if (leavesPackage(target.slice(2))) throw badTarget(target, question)
  if (star !== undefined && leavesPackage(star)) {
    const request = question.key.replace('*', () => star)
    throw invalidSpecifier(
      request,
      `is not a valid match in pattern "${question.key}" for the "${field}" resolution of ${manifest.path}`,
      importer,
    )
  }
  return { path: urlPath(filled, manifest.folder, importer) }
}

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(text)

function leavesPackage(path: string): boolean {
  return path.split(/[\\/]/).some((part) => /^(?:\.\.?|node_modules)$/i.test(unescaped(part)))
}

/** Decodes only ASCII characters, because the names to look for contain no others. */
function unescaped(part: string): string {
  return part.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function badTarget(target: unknown, { manifest, field, key, importer }: Question): Unresolved {
  const what = key === '.' ? `"${field}" main target ${JSON.stringify(target)}` : `"${field}" target ${JSON.stringify(target)}`
  const where = key === '.' ? '' : ` for '${key}'`
  const why = typeof target === 'string' && field === 'exports' && !target.startsWith('./') ? '; targets must start with "./"' : ''
  return new Unresolved(
    'ERR_INVALID_PACKAGE_TARGET',
    `Invalid ${what} defined${where} in the package config ${manifest.path} imported from ${importer}${why}`,
  )
}

function badConfig(path: string, importer: string, why: string): Unresolved {
  return new Unresolved('ERR_INVALID_PACKAGE_CONFIG', `Invalid package config ${path} while importing from ${importer}. ${why}`)
}
