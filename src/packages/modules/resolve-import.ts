import { joinPath } from '../../workspace/paths.js'
import { browserSpecifier, existingFile, isEmptyModule, mainOf } from './browser-field.js'
import { builtinOf, missingBuiltin } from './builtins.js'
import { lookedFor, noPackage, suggestion } from './hints.js'
import type { Importer, Lookup } from './lookup.js'
import type { Manifest } from './manifest.js'
import { type Mapped, mapExports, mapImports } from './package-maps.js'
import { invalidSpecifier, isRelative, joined, parsePackageSpecifier, urlPath } from './specifiers.js'
import type { Resolution } from './types.js'
import { Unresolved } from './unresolved.js'

const MAIN_SUFFIXES = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node']
const INDEXES = ['index.js', 'index.json', 'index.node']
const TYPESCRIPT: Readonly<Record<string, string>> = { '.js': '.ts', '.mjs': '.mts', '.cjs': '.cts', '.jsx': '.tsx' }

/** Resolves a specifier by Node's rules for `import`. @throws {Unresolved} */
export async function resolveImport(lookup: Lookup, specifier: string, importer: Importer): Promise<Resolution> {
  const asked = await browserSpecifier(specifier, importer, lookup)
  if (asked !== specifier && isEmptyModule(asked)) return { path: asked }
  if (asked.startsWith('/') || isRelative(asked)) {
    return importedFile(lookup, urlPath(asked, importer.folder, importer.path), importer, asked)
  }
  if (asked.startsWith('#')) {
    const manifest = await lookup.disk.scope(importer.folder)
    return follow(lookup, mapImports(manifest, asked, conditionsOf(lookup, manifest), importer.path), importer, asked)
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(asked)?.[1]?.toLowerCase()
  if (scheme === 'file') return importedFile(lookup, filePath(asked, importer), importer, asked)
  if (scheme !== undefined && scheme !== 'node') throw unsupportedScheme(scheme, asked, importer)
  return builtinOf(asked, lookup, importer) ?? importedPackage(lookup, asked, importer)
}

async function importedPackage(lookup: Lookup, specifier: string, importer: Importer): Promise<Resolution> {
  const { name, subpath } = parsePackageSpecifier(specifier, importer.path)
  const own = await lookup.disk.scope(importer.folder)
  if (own?.exports !== undefined && own.name === name) return mapped(lookup, own, subpath, importer, specifier)
  const tried: string[] = []
  for (const folder of lookup.disk.upwards(importer.folder)) {
    const found = joinPath(joinPath(folder, 'node_modules'), name)
    tried.push(found)
    if (name === '' || (await lookup.disk.kindOf(found)) !== 'dir') continue
    const manifest = await lookup.disk.manifest(found)
    if (manifest?.exports !== undefined) return mapped(lookup, manifest, subpath, importer, specifier)
    if (subpath === '.') return importedMain(lookup, found, manifest, importer)
    return importedFile(lookup, urlPath(subpath, found, importer.path), importer, specifier)
  }
  throw missingBuiltin(specifier, lookup, importer) ?? (await noPackage(lookup, name, specifier, importer, tried))
}

function mapped(lookup: Lookup, manifest: Manifest, subpath: string, importer: Importer, specifier: string): Promise<Resolution> {
  return follow(lookup, mapExports(manifest, subpath, conditionsOf(lookup, manifest), importer.path), importer, specifier)
}

function follow(lookup: Lookup, target: Mapped, importer: Importer, specifier: string): Promise<Resolution> {
  if ('path' in target) return importedFile(lookup, target.path, importer, specifier)
  // A map leads to a package or a builtin, never to a path or to the map again.
  const known = builtinOf(target.specifier, lookup, importer)
  return known ? Promise.resolve(known) : importedPackage(lookup, target.specifier, importer)
}

function conditionsOf(lookup: Lookup, manifest: Manifest | undefined): ReadonlySet<string> {
  return lookup.conditions('import', manifest?.folder ?? '')
}

/** Resolves the main file of a package without `exports`. */
async function importedMain(lookup: Lookup, folder: string, manifest: Manifest | undefined, importer: Importer): Promise<Resolution> {
  const main = mainOf(manifest, lookup)
  const fromMain = main ? MAIN_SUFFIXES.map((suffix) => joined(folder, main + suffix)) : []
  // Node ignores `module`. This fallback only applies if Node would find nothing.
  const module = manifest?.module ? [joined(folder, manifest.module)] : []
  const candidates = [...fromMain, ...INDEXES.map((name) => joinPath(folder, name)), ...module]
  for (const path of candidates) if ((await lookup.disk.kindOf(path)) === 'file') return importedFile(lookup, path, importer, path)
  throw new Unresolved(
    'ERR_MODULE_NOT_FOUND',
    `Cannot find package '${folder}' imported from ${importer.path}${lookedFor(lookup, candidates)}`,
  )
}

async function importedFile(lookup: Lookup, path: string, importer: Importer, specifier: string): Promise<Resolution> {
  const { disk } = lookup
  const kind = await disk.kindOf(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
  if (kind === 'file' && !path.endsWith('/')) return existingFile(lookup, path)
  if (kind === 'dir') {
    throw new Unresolved(
      'ERR_UNSUPPORTED_DIR_IMPORT',
      `Directory import '${path}' is not supported resolving ES modules imported from ${importer.path}${await suggestion(lookup, path, specifier, importer)}`,
    )
  }
  const typed = importer.typescript ? typescriptOf(path) : undefined
  if (typed !== undefined && (await disk.kindOf(typed)) === 'file') return existingFile(lookup, typed)
  throw new Unresolved(
    'ERR_MODULE_NOT_FOUND',
    `Cannot find module '${path}' imported from ${importer.path}${await suggestion(lookup, path, specifier, importer)}${lookedFor(lookup, typed ? [path, typed] : [path])}`,
  )
}

/**
 * Returns the TypeScript file for a JavaScript file name, because TypeScript sources import the name of the file that the compiler would
 * write.
 */
export function typescriptOf(path: string): string | undefined {
  const extension = /\.[cm]?jsx?$/.exec(path)?.[0]
  const typed = extension === undefined ? undefined : TYPESCRIPT[extension]
  return extension === undefined || typed === undefined ? undefined : path.slice(0, -extension.length) + typed
}

function filePath(specifier: string, importer: Importer): string {
  const path = /^file:(?:\/\/(?:localhost)?)?(\/.*)$/is.exec(specifier)?.[1]
  if (path === undefined) throw invalidSpecifier(specifier, 'is no file URL with an absolute path (file:///workspace/x.js)', importer.path)
  return urlPath(path, '/', importer.path)
}

function unsupportedScheme(scheme: string, specifier: string, { path }: Importer): Unresolved {
  const advice = /^https?$/.test(scheme) ? ' Install the package, or fetch the text.' : ''
  return new Unresolved(
    'ERR_UNSUPPORTED_ESM_URL_SCHEME',
    `Only URLs with a scheme in: file and node are supported here. Received protocol '${scheme}:' in "${specifier.slice(0, 200)}" imported from ${path}.${advice}`,
  )
}
