import { isRecord } from '../../ops/is-record.js'
import { parentPath, relativePath } from '../../workspace/paths.js'
import type { Importer, Lookup } from './lookup.js'
import type { Manifest } from './manifest.js'
import { joined } from './specifiers.js'
import type { Resolution } from './types.js'

/** The module that a `false` in the `browser` field stands for. No file has this name. */
const EMPTY = '[empty].cjs'

export function isEmptyModule(path: string): boolean {
  return path.endsWith(`/${EMPTY}`) && path.includes('/node_modules/')
}

function emptyModule(manifest: Manifest): string {
  return joined(manifest.folder, EMPTY)
}

/** Resolves an existing file. If its package is resolved for browsers, the `browser` field may replace it. */
export async function existingFile(lookup: Lookup, path: string): Promise<Resolution> {
  const { disk } = lookup
  const other = await browserFile(path, lookup)
  if (isEmptyModule(other)) return { path: other }
  return { path: await disk.realpath(other !== path && (await disk.kindOf(other)) === 'file' ? other : path) }
}

async function browserFile(path: string, lookup: Lookup): Promise<string> {
  if (lookup.browserPackages.size === 0) return path
  const manifest = await lookup.disk.scope(parentPath(path))
  if (!manifest || !lookup.browserPackages.has(manifest.folder) || !isRecord(manifest.browser)) return path
  const target = manifest.browser[`./${relativePath(path, manifest.folder)}`]
  if (target === false) return emptyModule(manifest)
  return typeof target === 'string' ? joined(manifest.folder, target) : path
}

/**
 * Applies the `browser` field to a specifier such as `crypto` in a file of a package. The replacement is another package, or a file of the
 * same package.
 */
export async function browserSpecifier(specifier: string, importer: Importer, lookup: Lookup): Promise<string> {
  if (lookup.browserPackages.size === 0) return specifier
  const manifest = await lookup.disk.scope(importer.folder)
  if (!manifest || !lookup.browserPackages.has(manifest.folder) || !isRecord(manifest.browser)) return specifier
  const target = Object.hasOwn(manifest.browser, specifier) ? manifest.browser[specifier] : undefined
  if (target === false) return emptyModule(manifest)
  if (typeof target !== 'string') return specifier
  return target.startsWith('./') ? joined(manifest.folder, target) : target
}

/** Returns the entry point of a package without `exports`. */
export function mainOf(manifest: Manifest | undefined, lookup: Lookup): string | undefined {
  if (!manifest) return undefined
  return lookup.browserPackages.has(manifest.folder) && typeof manifest.browser === 'string' ? manifest.browser : manifest.main
}
