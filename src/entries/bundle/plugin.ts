import { FsError, PolicyError, WorkspaceError } from '../../errors/index.js'
import { joined } from '../../packages/modules/specifiers.js'
import { faultOf } from '../../packages/modules/unresolved.js'
import type { Workspace } from '../../types/workspace.js'
import { parentPath } from '../../workspace/paths.js'
import type { EsbuildMessage, PluginBuild, ResolveArgs } from './esbuild-types.js'
import { isNode } from './load-esbuild.js'
import { FILES } from './options.js'
import type { Reading } from './reading.js'
import { type Question, type ResolveOptions, resolveTarget } from './resolve.js'
import { SHARED, sharedModule } from './shared-packages.js'
import { withoutMap } from './source-maps.js'
import { isSvelte, needsSvelte, SVELTE_STYLES, type SvelteLoader } from './svelte.js'
import { unsupported } from './unsupported.js'

/** Namespace of inline modules of pages. The path of such a module is `<path of the page>#<index>`. */
export const INLINE = 'workspace-inline'
const EMPTY = 'workspace-empty'
/** Namespace of modules that export the URL of a file. */
const ASSET = 'workspace-asset'
/** Namespace -> esbuild loader, for files that a program imports as URL, text or data URL. */
const AS_THEY_ARE: Readonly<Record<string, string>> = { 'workspace-file': 'file', 'workspace-raw': 'text', 'workspace-data': 'dataurl' }
const BY_QUERY: Readonly<Record<string, string>> = { '?url': ASSET, '?raw': 'workspace-raw', '?inline': 'workspace-data' }

export interface PluginOptions {
  readonly workspace: Workspace
  /** Created for each build, because files change between builds. */
  readonly resolution: () => ResolveOptions
  readonly reading: () => Reading
  /** Path -> code of an inline module. */
  readonly inline: ReadonlyMap<string, string>
  readonly external: (specifier: string) => boolean
  /** Whether the packages' script provides a file. */
  readonly isShared?: ((path: string) => Promise<boolean>) | undefined
  readonly svelte: SvelteLoader
  readonly limits: { readonly modules: number; readonly bytes: number }
}

const LOADERS: Readonly<Record<string, string>> = {
  js: 'jsx',
  mjs: 'js',
  cjs: 'js',
  jsx: 'jsx',
  ts: 'ts',
  mts: 'ts',
  cts: 'ts',
  tsx: 'tsx',
  json: 'json',
  css: 'css',
  txt: 'text',
}
/**
 * The directory in which esbuild resolves imports with a computed path, such as `import('../' + name)`. For these imports, esbuild searches
 * the machine's disk without asking a plugin. This directory does not exist and is so deep that ordinary paths cannot leave it, so esbuild
 * finds nothing and keeps the import. Only for Node: in a browser, esbuild has no disk and fails to read any directory.
 */
const NOWHERE = `/toolport-no-such-folder${'/x'.repeat(255)}`
/** The error for a computed path that leaves `NOWHERE`. Omits the file name, because that file is not in the workspace. */
export const COMPUTED = 'Cannot bundle an import with a computed path. Import the modules by their names'
/** Files for which an import without a query returns the URL. */
const ASSETS = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|woff2?|ttf|otf|eot|mp3|mp4|m4a|webm|ogg|wav|flac|wasm|pdf|glb|gltf|hdr|md)$/i
const MOST_UNRESOLVED = 200

/** Kinds of import whose failure a program may handle, as with `require` in a `try` block. esbuild does not tell plugins which ones do. */
const CATCHABLE = new Set(['require-call', 'require-resolve', 'dynamic-import'])

/** Creates the esbuild plugin that resolves and loads all files from the workspace. */
export function workspacePlugin(options: PluginOptions): { readonly name: string; setup(build: PluginBuild): void } {
  return {
    name: 'workspace',
    setup(build) {
      const place = isNode() ? { resolveDir: NOWHERE } : {}
      build.onResolve({ filter: /.*/ }, (args) => resolve(options, args))
      // No build needs files of the machine, so all are rejected.
      build.onLoad({ filter: /.*/, namespace: 'file' }, async () => failure(COMPUTED))
      build.onLoad({ filter: /.*/, namespace: FILES }, async ({ path }) => ({ ...(await load(options, path)), ...place }))
      for (const [namespace, loader] of Object.entries(AS_THEY_ARE)) {
        build.onLoad({ filter: /.*/, namespace }, ({ path }) => load(options, path, loader))
      }
      build.onLoad({ filter: /.*/, namespace: INLINE }, async ({ path }) => {
        const contents = withoutMap(options.inline.get(path) ?? '')
        return { contents, loader: 'tsx', warnings: unsupported(contents, { file: path, namespace: INLINE }), ...place }
      })
      build.onLoad({ filter: /.*/, namespace: SVELTE_STYLES }, async ({ path }) => ({
        contents: options.svelte.styles(path),
        loader: 'css',
      }))
      build.onLoad({ filter: /.*/, namespace: EMPTY }, async () => ({ contents: 'module.exports = {}', loader: 'js' }))
      build.onLoad({ filter: /.*/, namespace: SHARED }, async ({ path }) => ({ contents: sharedModule(path), loader: 'js' }))
      build.onLoad({ filter: /.*/, namespace: ASSET }, async ({ path }) => ({
        contents: `import url from ${JSON.stringify(path)}\nexport default new URL(url, import.meta.url).href`,
        loader: 'js',
      }))
    },
  }
}

async function resolve(options: PluginOptions, args: ResolveArgs): ReturnType<Parameters<PluginBuild['onResolve']>[1]> {
  const { path: written, kind } = args
  if (kind === 'entry-point') return { path: written, namespace: options.inline.has(written) ? INLINE : FILES }
  if (args.namespace === FILES && written === SVELTE_STYLES && isSvelte(args.importer))
    return { path: args.importer, namespace: SVELTE_STYLES }
  if (args.namespace === ASSET) return { path: args.importer, namespace: 'workspace-file' }
  if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(written) && !written.startsWith('node:')) return { path: written, external: true }
  if (kind === 'url-token' && written.startsWith('#')) return { path: written, external: true }
  if (options.external(written)) return { path: written, external: true }

  const [, specifier = written, query = ''] = /^(.+?)(\?[^?]*)?$/s.exec(written) ?? []
  const importer = args.importer.replace(/#\d+$/, '')
  const isCss = kind === 'import-rule' || kind === 'url-token' || kind === 'composes-from'
  const question: Question = {
    specifier,
    importer,
    folder: parentPath(importer),
    kind: isCss ? 'css' : kind.startsWith('require') ? 'require' : 'import',
  }
  try {
    const target = await resolveTarget(options.resolution(), question)
    if (!target) return unresolved(options, args, question, missing(options, question))
    if ('empty' in target) return { path: target.empty, namespace: EMPTY }
    const namespace = namespaceOf(target.path, query, isCss)
    const isShared = namespace === FILES && !isCss && (await options.isShared?.(target.path))
    return { path: target.path, namespace: isShared ? SHARED : namespace }
  } catch (error) {
    return unresolved(options, args, question, isExpected(error) ? error.message : faultOf(error).message)
  }
}

function namespaceOf(path: string, query: string, isCss: boolean): string {
  if (isCss) return ASSETS.test(path) ? 'workspace-file' : FILES
  return BY_QUERY[query] ?? (ASSETS.test(path) ? ASSET : FILES)
}

/**
 * Reports an import that cannot be resolved. The build fails with `text`, except for the kinds in `CATCHABLE`: esbuild then searches
 * `NOWHERE`, finds nothing, and checks whether the program handles the error. If so, the import throws at run time. If not, the build
 * fails, and the bundler replaces esbuild's text by `text`.
 */
function unresolved(
  { reading }: PluginOptions,
  { path: written, kind }: ResolveArgs,
  question: Question,
  text: string,
): Awaited<ReturnType<Parameters<PluginBuild['onResolve']>[1]>> {
  const { unresolved: all } = reading()
  if (all.length < MOST_UNRESOLVED) all.push({ ...question, written, text })
  return CATCHABLE.has(kind) ? {} : { errors: [{ text }] }
}

function missing({ workspace }: PluginOptions, { specifier, folder }: Question): string {
  const name = specifier.replace(/^node:/, '')
  const isPackage = !/^[./]/.test(specifier)
  const next = isNodeModule(name)
    ? 'It is a module of Node, which browsers do not have'
    : isPackage
      ? 'Install the package, or add it to "external"'
      : `No such file is in "${specifier.startsWith('/') ? workspace.root : folder}"`
  return `Cannot resolve "${specifier}": nothing is there. ${next}.`
}

const NODE_MODULES = new Set(
  'assert buffer child_process cluster crypto dgram dns events fs http http2 https module net os path perf_hooks process querystring readline repl stream string_decoder timers tls tty url util v8 vm worker_threads zlib'.split(
    ' ',
  ),
)
const isNodeModule = (name: string): boolean => NODE_MODULES.has(name.split('/')[0] ?? '')

async function load(
  { workspace, reading, limits, svelte }: PluginOptions,
  path: string,
  loader?: string,
): ReturnType<Parameters<PluginBuild['onLoad']>[1]> {
  const now = reading()
  try {
    const { bytes, version } = await workspace.readBytes(path)
    if (!now.inputs.has(path)) now.bytes += bytes.length
    now.inputs.set(path, version)
    if (now.inputs.size > limits.modules) return failure(`Cannot bundle more than ${limits.modules} files. Import fewer.`)
    if (now.bytes > limits.bytes) return failure(`Cannot bundle more than ${limits.bytes} bytes. Import less.`)
    if (loader) return { contents: bytes, loader }
    if (!needsSvelte(path, bytes)) return await loaded(workspace, path, bytes)
    const text = new TextDecoder().decode(bytes)
    const built = await svelte.load(path, text)
    if (!('contents' in built)) return built
    const warnings = path.includes('/node_modules/') ? [] : [...built.warnings, ...unsupported(text, { file: path, namespace: FILES })]
    return { ...built, contents: await withImportedFiles(workspace, path, built.contents), warnings }
  } catch (error) {
    now.inputs.set(path, '')
    if (isExpected(error)) return failure(error.message)
    throw error
  }
}

async function loaded(
  workspace: Workspace,
  path: string,
  bytes: Uint8Array,
): Promise<
  | { readonly contents: Uint8Array | string; readonly loader: string; readonly warnings?: readonly EsbuildMessage[] }
  | ReturnType<typeof failure>
> {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? 'js'
  const loader = path.endsWith('.module.css') ? 'local-css' : LOADERS[extension]
  if (loader === 'json' || loader === 'text') return { contents: bytes, loader }
  if (loader) {
    const code = withoutMap(new TextDecoder().decode(bytes))
    if (loader.endsWith('css')) return { contents: code, loader }
    // No warnings for packages, because they may check for a feature before they use it.
    const warnings = path.includes('/node_modules/') ? [] : unsupported(code, { file: path, namespace: FILES })
    return { contents: await withImportedFiles(workspace, path, code), loader, warnings }
  }
  return failure(
    `Cannot bundle "${path}": the bundler does not compile .${extension} files. Import it with "?raw" or "?url", or compile it first.`,
  )
}

const FILE_URL = /\bnew\s+URL\(\s*(["'])(\.{1,2}\/[^"'\n]+)\1\s*,\s*import\.meta\.url\s*\)/g

/** Converts `new URL('./logo.png', import.meta.url)` to use an import of that file, so that the build contains the file. */
async function withImportedFiles(workspace: Workspace, path: string, code: string): Promise<string> {
  if (!code.includes('import.meta.url')) return code
  let imports = ''
  let done = ''
  let at = 0
  for (const { 0: all, 2: specifier = '', index } of code.matchAll(FILE_URL)) {
    const target = joined(parentPath(path), specifier)
    if (!ASSETS.test(target) || !(await workspace.exists(target).catch(() => false))) continue
    const name = `__toolport_url_${imports.length}`
    // Inserted on the first line, so that lines keep their numbers.
    imports += `import ${name} from ${JSON.stringify(`${specifier}?url`)};`
    done += `${code.slice(at, index)}new URL(${name})`
    at = index + all.length
  }
  return imports + done + code.slice(at)
}

const failure = (text: string): { readonly errors: readonly { readonly text: string }[] } => ({ errors: [{ text }] })

function isExpected(error: unknown): error is Error {
  return FsError.is(error) || error instanceof WorkspaceError || error instanceof PolicyError
}
