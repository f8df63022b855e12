import { Unresolved } from './unresolved.js'

/** Whether a specifier is relative: `./x`, `../x`, `.` or `..`. */
export function isRelative(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier)
}

/**
 * Returns the path of a relative or absolute specifier, parsed as a URL: decodes percent escapes, drops query and fragment.
 *
 * @throws {Unresolved} ERR_INVALID_MODULE_SPECIFIER
 */
export function urlPath(specifier: string, folder: string, importer: string): string {
  const path = specifier.replace(/[?#].*$/s, '').replaceAll('\\', '/')
  if (/%2f|%5c/i.test(path)) throw invalidSpecifier(specifier, 'must not include encoded "/" or "\\" characters', importer)
  return joined(folder, decoded(path, specifier, importer))
}

/** Joins `path` to `folder` and resolves `.` and `..`. At the root, `..` has no effect. Keeps a slash at the end. */
export function joined(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}${parts.length > 0 && path.endsWith('/') ? '/' : ''}`
}

export interface PackageSpecifier {
  readonly name: string
  /** `.` or `./sub/path`. */
  readonly subpath: string
}

/** @throws {Unresolved} ERR_INVALID_MODULE_SPECIFIER */
export function parsePackageSpecifier(specifier: string, importer: string): PackageSpecifier {
  const [, name, rest] = /^((?:@[^/]*\/)?[^/]*)(.*)$/s.exec(specifier) ?? []
  if (name === undefined || rest === undefined || /^\.|[%\\]/.test(name) || (name.startsWith('@') && !name.includes('/'))) {
    throw invalidSpecifier(specifier, 'is not a valid package name', importer)
  }
  return { name, subpath: `.${rest}` }
}

export function invalidSpecifier(specifier: string, why: string, importer: string): Unresolved {
  return new Unresolved('ERR_INVALID_MODULE_SPECIFIER', `Invalid module "${specifier}" ${why} imported from ${importer}`)
}

function decoded(path: string, specifier: string, importer: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    throw invalidSpecifier(specifier, 'has a "%" that is not an escape: write "%25"', importer)
  }
}
