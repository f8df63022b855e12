import { isRecord } from '../../ops/is-record.js'
import type { Disk } from '../../packages/modules/disk.js'
import type { Manifest } from '../../packages/modules/manifest.js'
import { type Mapped, mapExports, mapImports } from '../../packages/modules/package-maps.js'
import { isRelative, joined, parsePackageSpecifier } from '../../packages/modules/specifiers.js'
import { joinPath, parentPath, relativePath } from '../../workspace/paths.js'
import { mapPaths, type TsConfig } from './tsconfig.js'

/** The target of a specifier: a file with symlinks resolved, or `empty` for a module that a `browser` field disables. */
export type Target = { readonly path: string } | { readonly empty: string }

export interface ResolveOptions {
  readonly disk: Disk
  readonly tsconfig: TsConfig
  /** Folder that specifiers with a leading slash, such as `/src/main.ts`, are relative to. */
  readonly root: string
  /** Conditions of `exports` and `imports`, without `import` and `require`. */
  readonly conditions: readonly string[]
}

export interface Question {
  readonly specifier: string
  /** Virtual path of the importer. */
  readonly importer: string
  readonly folder: string
  /** `css`: a reference in a stylesheet, which tries a file relative to the stylesheet before a package. */
  readonly kind: 'import' | 'require' | 'css'
}

const EXTENSIONS = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.cjs', '.mts', '.cts', '.css', '.json']
/** TypeScript sources are imported by the extension of their output. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
}

/**
 * Resolves like bundlers for browsers: extensions and `index` are optional; packages resolve by `exports`, else by `browser`, `module`,
 * `main`. Undefined if nothing is found.
 *
 * @throws {Unresolved} for a package that does not export the subpath, or whose package.json is invalid
 */
export async function resolveTarget(options: ResolveOptions, question: Question): Promise<Target | undefined> {
  const { disk, tsconfig, root } = options
  const { specifier, folder, kind } = question
  if (isRelative(specifier)) return fileOf(options, joined(folder, specifier))
  // A leading slash means the root of the site: pages and programs do not write virtual paths.
  if (specifier.startsWith('/')) {
    return (await fileOf(options, joined(root, specifier.slice(1)))) ?? (await fileOf(options, joinPath(root, `public${specifier}`)))
  }
  // Path mappings apply to the app, not to packages.
  const { baseUrl } = tsconfig
  const mapped = folder.includes('/node_modules/')
    ? []
    : [...mapPaths(tsconfig, specifier), ...(baseUrl === undefined ? [] : [joined(baseUrl, specifier)])]
  for (const path of mapped) {
    const found = await fileOf(options, path)
    if (found) return found
  }
  if (kind === 'css') {
    const beside = await fileOf(options, joined(folder, specifier))
    if (beside) return beside
  }
  const scope = await disk.scope(folder)
  if (specifier.startsWith('#'))
    return mappedTarget(options, question, mapImports(scope, specifier, conditionsOf(options, kind), question.importer), scope)
  const replaced = isRecord(scope?.browser) && Object.hasOwn(scope.browser, specifier) ? scope.browser[specifier] : undefined
  if (replaced === false) return { empty: specifier }
  if (typeof replaced === 'string' && replaced !== specifier && scope) {
    return resolveTarget(options, { ...question, specifier: replaced, folder: scope.folder })
  }
  return packageFile(options, question)
}

const conditionsOf = ({ conditions }: ResolveOptions, kind: Question['kind']): ReadonlySet<string> =>
  new Set([...conditions, ...(kind === 'css' ? ['style'] : [kind])])

async function mappedTarget(
  options: ResolveOptions,
  question: Question,
  mapped: Mapped,
  manifest: Manifest | undefined,
): Promise<Target | undefined> {
  if ('path' in mapped) return browserFile(options, mapped.path)
  return resolveTarget(options, { ...question, specifier: mapped.specifier, folder: manifest?.folder ?? question.folder })
}

async function packageFile(options: ResolveOptions, question: Question): Promise<Target | undefined> {
  const { disk } = options
  const { name, subpath } = parsePackageSpecifier(question.specifier, question.importer)
  const conditions = conditionsOf(options, question.kind)
  const own = await disk.scope(question.folder)
  if (own?.name === name && own.exports !== undefined)
    return mappedTarget(options, question, mapExports(own, subpath, conditions, question.importer), own)
  // The modules of Svelte have state, so packages use the app's Svelte rather than one of their own.
  const first = name === 'svelte' && conditions.has('svelte') ? disk.upwards(options.root) : []
  for (const folder of [...first, ...disk.upwards(question.folder)]) {
    const place = joinPath(joinPath(folder, 'node_modules'), name)
    if ((await disk.kindOf(place)) !== 'dir') continue
    const manifest = await disk.manifest(place)
    if (manifest?.exports !== undefined)
      return mappedTarget(options, question, mapExports(manifest, subpath, conditions, question.importer), manifest)
    if (subpath !== '.') return fileOf(options, joined(place, subpath))
    const found = await mainOf(options, place, manifest, question.kind)
    if (found) return found
  }
  return undefined
}

async function mainOf(
  options: ResolveOptions,
  folder: string,
  manifest: Manifest | undefined,
  kind: Question['kind'],
): Promise<Target | undefined> {
  const browser = typeof manifest?.browser === 'string' ? manifest.browser : undefined
  // `require` of a package's ES module would return another object than `require` of its CommonJS module.
  const fields = kind === 'require' ? [browser, manifest?.main] : [browser, manifest?.module, manifest?.main]
  for (const main of [...fields, 'index']) {
    const found = main === undefined ? undefined : await fileOf(options, joined(folder, main))
    if (found) return found
  }
  return undefined
}

async function fileOf(options: ResolveOptions, path: string): Promise<Target | undefined> {
  const { disk } = options
  const bare = path.replace(/\/$/, '') || '/'
  const kind = await disk.kindOf(bare)
  if (kind === 'file') return browserFile(options, bare)
  const [, stem = '', extension = ''] = /^(.*?)(\.[^./]+)?$/.exec(bare) ?? []
  const renamed = (WRITTEN_AS[extension] ?? []).map((other) => stem + other)
  for (const candidate of [...renamed, ...EXTENSIONS.map((one) => bare + one)]) {
    if ((await disk.kindOf(candidate)) === 'file') return browserFile(options, candidate)
  }
  if (kind !== 'dir') return undefined
  // A folder of a package may contain its own manifest.
  const manifest = bare.includes('/node_modules/') ? await disk.manifest(bare) : undefined
  if (manifest?.module ?? manifest?.main) return mainOf(options, bare, { ...manifest, exports: undefined } as Manifest, 'import')
  for (const extension of EXTENSIONS) {
    const index = joinPath(bare, `index${extension}`)
    if ((await disk.kindOf(index)) === 'file') return browserFile(options, index)
  }
  return undefined
}

/** Returns a file, or the file that replaces it in the `browser` map of its package. Undefined if the file does not exist. */
async function browserFile({ disk }: ResolveOptions, path: string): Promise<Target | undefined> {
  if ((await disk.kindOf(path)) !== 'file') return undefined
  const scope = await disk.scope(parentPath(path))
  if (scope && isRecord(scope.browser)) {
    const key = `./${relativePath(path, scope.folder)}`
    const other = scope.browser[key] ?? scope.browser[key.replace(/\.[^./]+$/, '')]
    if (other === false) return { empty: path }
    if (typeof other === 'string') {
      const target = joined(scope.folder, other)
      for (const candidate of [target, `${target}.js`])
        if ((await disk.kindOf(candidate)) === 'file') return { path: await disk.realpath(candidate) }
    }
  }
  return { path: await disk.realpath(path) }
}
