import { joinPath } from '../../workspace/paths.js'
import { browserSpecifier, existingFile, isEmptyModule, mainOf } from './browser-field.js'
import { builtinOf, missingBuiltin } from './builtins.js'
import { lookedFor, suggestion } from './hints.js'
import type { Importer, Lookup } from './lookup.js'
import type { Manifest } from './manifest.js'
import { type Mapped, mapExports, mapImports } from './package-maps.js'
import { typescriptOf } from './resolve-import.js'
import { isRelative, joined, parsePackageSpecifier } from './specifiers.js'
import type { Resolution } from './types.js'
import { Unresolved } from './unresolved.js'

/** Extensions that `require('./x')` tries. The last two follow Node's type stripping. */
const GUESSES = ['.js', '.json', '.node', '.ts', '.cts']
const DOTS_AT_END = /(?:^|\/)\.{1,2}$/

/** Resolves a specifier by Node's rules for `require`. @throws {Unresolved} */
export async function resolveRequire(lookup: Lookup, asked: string, importer: Importer): Promise<Resolution> {
  if (asked === '') throw new Unresolved('ERR_INVALID_ARG_VALUE', "The argument 'id' must be a non-empty string. Received ''")
  const specifier = await browserSpecifier(asked, importer, lookup)
  if (specifier !== asked && isEmptyModule(specifier)) return { path: specifier }
  const builtin = builtinOf(specifier, lookup, importer)
  if (builtin) return builtin
  if (specifier.startsWith('/') || isRelative(specifier)) return requiredFile(lookup, specifier, importer)
  const own = await lookup.disk.scope(importer.folder)
  if (specifier.startsWith('#') && own?.imports) {
    return follow(lookup, mapImports(own, specifier, conditionsOf(lookup, own), importer.path), importer, specifier)
  }
  if (own?.exports !== undefined && isOwn(own, specifier)) {
    const { subpath } = parsePackageSpecifier(specifier, importer.path)
    return follow(lookup, mapExports(own, subpath, conditionsOf(lookup, own), importer.path), importer, specifier)
  }
  return requiredName(lookup, specifier, importer)
}

async function requiredFile(lookup: Lookup, specifier: string, importer: Importer): Promise<Resolution> {
  const tried: string[] = []
  const path = joined(importer.folder, specifier).replace(/(.)\/$/, '$1')
  const found = await requiredPath(lookup, path, asksForFolder(specifier), importer, tried)
  if (found) return found
  throw await notFound(lookup, specifier, importer, tried)
}

async function requiredName(lookup: Lookup, specifier: string, importer: Importer): Promise<Resolution> {
  const tried: string[] = []
  const found = await requiredPackage(lookup, specifier, importer, tried)
  if (found) return found
  throw missingBuiltin(specifier, lookup, importer) ?? (await notFound(lookup, specifier, importer, tried))
}

const asksForFolder = (specifier: string): boolean => specifier.endsWith('/') || DOTS_AT_END.test(specifier)

function isOwn({ name }: Manifest, specifier: string): boolean {
  return name !== undefined && (specifier === name || specifier.startsWith(`${name}/`))
}

/** Searches all `node_modules` directories above. Unlike `import`, `require` skips a package that lacks the file. */
async function requiredPackage(lookup: Lookup, specifier: string, importer: Importer, tried: string[]): Promise<Resolution | undefined> {
  const [, name, rest] = /^((?:@[^/\\%]+\/)?[^./\\%][^/\\%]*)(\/.*)?$/s.exec(specifier) ?? []
  for (const folder of lookup.disk.upwards(importer.folder)) {
    const modules = joinPath(folder, 'node_modules')
    if (folder.endsWith('/node_modules') || (await lookup.disk.kindOf(modules)) !== 'dir') continue
    const manifest = name === undefined ? undefined : await lookup.disk.manifest(joinPath(modules, name))
    if (manifest?.exports !== undefined) {
      const target = mapExports(manifest, `.${rest ?? ''}`, conditionsOf(lookup, manifest), importer.path)
      return follow(lookup, target, importer, specifier)
    }
    const found = await requiredPath(lookup, joined(modules, specifier).replace(/\/$/, ''), asksForFolder(specifier), importer, tried)
    if (found) return found
  }
  if (tried.length === 0) tried.push(...lookup.disk.upwards(importer.folder).map((folder) => joinPath(folder, 'node_modules')))
  return undefined
}

async function follow(lookup: Lookup, target: Mapped, importer: Importer, specifier: string): Promise<Resolution> {
  if ('specifier' in target) {
    return builtinOf(target.specifier, lookup, importer) ?? requiredName(lookup, target.specifier, importer)
  }
  // A map names the exact file, so do not try extensions.
  if ((await lookup.disk.kindOf(target.path)) === 'file') return existingFile(lookup, target.path)
  throw await notFound(lookup, target.path, importer, [target.path], specifier)
}

/** Resolves a file, a file with an extension, or a folder. `slash`: only a folder. */
async function requiredPath(
  lookup: Lookup,
  path: string,
  slash: boolean,
  importer: Importer,
  tried: string[],
): Promise<Resolution | undefined> {
  const found = slash
    ? undefined
    : await firstFile(lookup, withTypeScript([path, ...GUESSES.map((guess) => path + guess)], path, importer), tried)
  if (found) return found
  return (await lookup.disk.kindOf(path)) === 'dir' ? requiredFolder(lookup, path, importer, tried) : undefined
}

function withTypeScript(candidates: readonly string[], path: string, importer: Importer): readonly string[] {
  const typed = importer.typescript ? typescriptOf(path) : undefined
  return typed === undefined ? candidates : [path, typed, ...candidates.slice(1)]
}

async function requiredFolder(lookup: Lookup, folder: string, importer: Importer, tried: string[]): Promise<Resolution | undefined> {
  const manifest = await lookup.disk.manifest(folder)
  const main = mainOf(manifest, lookup)
  const indexes = GUESSES.map((guess) => joinPath(folder, `index${guess}`))
  if (!main) {
    const module = manifest?.module ? [joined(folder, manifest.module)] : []
    return firstFile(lookup, [...indexes, ...module], tried)
  }
  const path = joined(folder, main).replace(/(.)\/$/, '$1')
  const found = await firstFile(
    lookup,
    [path, ...GUESSES.map((guess) => path + guess), ...GUESSES.map((guess) => joinPath(path, `index${guess}`)), ...indexes],
    tried,
  )
  if (found) return found
  throw new Unresolved(
    'MODULE_NOT_FOUND',
    `Cannot find module '${path}'. Please verify that the package.json has a valid "main" entry (${manifest?.path}), required by ${importer.path}${lookedFor(lookup, tried)}`,
  )
}

async function firstFile(lookup: Lookup, candidates: readonly string[], tried: string[]): Promise<Resolution | undefined> {
  for (const path of candidates) {
    tried.push(path)
    if ((await lookup.disk.kindOf(path)) === 'file') return existingFile(lookup, path)
  }
  return undefined
}

function conditionsOf(lookup: Lookup, manifest: Manifest): ReadonlySet<string> {
  return lookup.conditions('require', manifest.folder)
}

async function notFound(
  lookup: Lookup,
  what: string,
  importer: Importer,
  tried: readonly string[],
  specifier: string = what,
): Promise<Unresolved> {
  const near =
    specifier.startsWith('/') || isRelative(specifier)
      ? await suggestion(lookup, joined(importer.folder, specifier).replace(/(.)\/$/, '$1'), specifier, importer)
      : await suggestion(lookup, joined(importer.folder, specifier), `./${specifier}`, importer)
  const message = `Cannot find module '${what}'\nRequire stack:\n- ${importer.path}${near}${lookedFor(lookup, tried)}`
  return new Unresolved('MODULE_NOT_FOUND', message)
}
