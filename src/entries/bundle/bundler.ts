import { required } from '../../errors/required.js'
import { createDisk, type Disk } from '../../packages/modules/disk.js'
import { joined } from '../../packages/modules/specifiers.js'
import type { BuildMessage, BuildOutput, BuildResult, Bundler } from '../../types/preview.js'
import type { Workspace } from '../../types/workspace.js'
import { baseName, joinPath, parentPath, relativePath } from '../../workspace/paths.js'
import { assetsOf } from './assets.js'
import type { EsbuildContext, EsbuildMessage, EsbuildResult } from './esbuild-types.js'
import { type EsbuildOptions, loadEsbuild } from './load-esbuild.js'
import { entriesOf, mappedElsewhere, type PageEntry, replaceEntries, withAttribute } from './page.js'
import { COMPUTED, FILES, type Reading, resolvesNow, workspacePlugin } from './plugin.js'
import type { ResolveOptions } from './resolve.js'
import { readTsConfig, type TsConfig } from './tsconfig.js'

/** Options of `createBundler`. Only `workspace` is required. */
export interface BundlerOptions {
  readonly workspace: Workspace
  /** The folder of the workspace that is the app. Default the root of the workspace. */
  readonly root?: string
  /**
   * Files to build, relative to `root`. Of a page (`.html`) the bundler builds its module scripts and stylesheets, and puts the outputs in
   * their place. Default `index.html`, if there is one: a workspace without it builds nothing, with a warning.
   */
  readonly entryPoints?: readonly string[]
  /** `production` minifies and puts hashes into names of outputs. Sets `process.env.NODE_ENV` and `import.meta.env`. Default `development`. */
  readonly mode?: 'development' | 'production'
  /** Writes source maps beside the outputs. Default true. */
  readonly sourcemap?: boolean
  /** Default: in `production`. */
  readonly minify?: boolean
  /** Expressions to replace with JSON or a name, such as `{ __VERSION__: '"1.0"' }`. Default none. */
  readonly define?: Readonly<Record<string, string>>
  /** Specifiers to leave as they are; a trailing `*` stands for anything. Default none. */
  readonly external?: readonly string[]
  /** Conditions of `exports` maps, besides `import` or `require`, and `default`. Default `browser`, `module` and the mode. */
  readonly conditions?: readonly string[]
  /** As `target` of esbuild. Default `es2022`. */
  readonly target?: string
  readonly esbuild?: EsbuildOptions
  /** What one build may read. */
  readonly limits?: {
    /** Number of files; default 20,000. */
    readonly modules?: number
    /** Bytes of all files; default 128 MiB. */
    readonly bytes?: number
  }
}

interface Entry {
  /** Virtual path of a file, or `<page>#<index>` of an inline module. */
  readonly input: string
  /** Name of the output without its extension. */
  readonly name: string
}

interface PageOfApp {
  readonly path: string
  readonly html: string
  readonly version: string
  /** The input of each entry of the page, in order. */
  readonly inputs: readonly string[]
}

interface Plan {
  readonly pages: readonly PageOfApp[]
  readonly entries: readonly Entry[]
  readonly inline: ReadonlyMap<string, string>
  readonly tsconfig: TsConfig
  /** Specifiers that import maps of the pages lead to other origins; a trailing `*` stands for anything. */
  readonly mapped: readonly string[]
  /** Another key needs another context. */
  readonly key: string
}

const OUT = 'toolport-out'
const MODULES = 20_000
const BYTES = 128 * 1024 * 1024
const NOTHING = { outputs: [], warnings: [] }

/**
 * Creates a bundler over esbuild: TypeScript, JSX, CSS, CSS modules, JSON, assets, `tsconfig.json` paths, and packages from `node_modules`
 * of the workspace. It loads esbuild with the first build, reads files through the workspace's rules, and writes none.
 *
 * @throws {TypeError} without a workspace; for entry points that are no list of names; for an unknown mode
 */
export function createBundler(options: BundlerOptions): Bundler {
  const { workspace, entryPoints = ['index.html'], mode = 'development' } = { ...options }
  required('createBundler', 'the option "workspace", a Workspace', workspace, 'readBytes')
  if (!Array.isArray(entryPoints) || entryPoints.length === 0 || !entryPoints.every((one) => typeof one === 'string' && one !== '')) {
    throw new TypeError('createBundler: "entryPoints" must be a list of file names')
  }
  if (mode !== 'development' && mode !== 'production') throw new TypeError('createBundler: "mode" must be "development" or "production"')
  return new WorkspaceBundler(options, workspace.resolve(options.root ?? workspace.root))
}

class WorkspaceBundler implements Bundler {
  readonly #options: BundlerOptions
  readonly #workspace: Workspace
  readonly #root: string
  #plan: Plan | undefined
  #context: EsbuildContext | undefined
  #reading: Reading = newReading()
  #resolution: ResolveOptions | undefined
  #last: BuildResult | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #isDisposed = false

  constructor(options: BundlerOptions, root: string) {
    this.#options = options
    this.#workspace = options.workspace
    this.#root = root
  }

  build({ signal, assets = false }: { readonly signal?: AbortSignal; readonly assets?: boolean } = {}): Promise<BuildResult> {
    // One after another: who asks during a build gets what changed since in the next.
    const built = this.#queue.then(async () => {
      const result = await this.#buildChanged(signal)
      return assets && result.ok ? this.#withAssets(result, signal) : result
    })
    this.#queue = built.catch(() => {})
    return built
  }

  async #withAssets(result: BuildResult, signal: AbortSignal | undefined): Promise<BuildResult> {
    const limits = { files: this.#options.limits?.modules ?? MODULES, bytes: this.#options.limits?.bytes ?? BYTES }
    if (result.outputs.length === 0) return { ...result, ok: false, errors: result.warnings, warnings: [] }
    const assets = await assetsOf(this.#workspace, this.#root, result.outputs, { limits, signal })
    return 'error' in assets
      ? { ...result, ok: false, errors: [{ text: assets.error }], outputs: [] }
      : { ...result, outputs: [...assets.outputs, ...result.outputs] }
  }

  async #buildChanged(signal: AbortSignal | undefined): Promise<BuildResult> {
    if (this.#isDisposed) throw new Error('Cannot build: the bundler is disposed. Create another one.')
    signal?.throwIfAborted()
    if (this.#last && !(await this.#isStale())) return this.#last
    // What a build that is stopped has read says nothing about the last result.
    this.#last = undefined
    const stop = (): void => void this.#context?.cancel()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const result = await this.#build()
      signal?.throwIfAborted()
      this.#last = result
      return result
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    await this.#queue
    await this.#context?.dispose()
    this.#context = undefined
  }

  async #isStale(): Promise<boolean> {
    for (const [path, version] of this.#reading.inputs) if ((await this.#versionOf(path)) !== version) return true
    const { unresolved, missing } = this.#reading
    const disk = createDisk(this.#workspace)
    // One listing answers for all names of a folder.
    for (const path of missing) if ((await disk.names(parentPath(path))).includes(baseName(path))) return true
    return unresolved.length > 0 && this.#resolution !== undefined && resolvesNow({ ...this.#resolution, disk }, unresolved)
  }

  async #versionOf(path: string): Promise<string> {
    try {
      const { kind } = await this.#workspace.stat(path, 'read')
      return kind === 'dir' ? '' : (await this.#workspace.readBytes(path, { length: 0 })).version
    } catch {
      return ''
    }
  }

  async #build(): Promise<BuildResult> {
    const reading = newReading()
    this.#reading = reading
    let plan: Plan
    try {
      plan = await this.#makePlan(reading)
    } catch (error) {
      return failed(reading, [{ text: error instanceof Error ? error.message : String(error) }])
    }
    this.#resolution = {
      disk: this.#noting(createDisk(this.#workspace), reading),
      tsconfig: plan.tsconfig,
      root: this.#root,
      conditions: this.#options.conditions ?? ['browser', 'module', this.#mode],
    }
    if (plan.entries.length === 0) {
      const text = `Nothing to build: "${joinPath(this.#root, 'index.html')}" does not exist. Write it, or set "entryPoints".`
      return this.#result(plan, reading, { errors: [], warnings: plan.pages.length > 0 ? [] : [{ text, location: null }] })
    }
    try {
      return this.#result(plan, reading, await (await this.#contextFor(plan)).rebuild())
    } catch (error) {
      const { errors } = error as { errors?: readonly EsbuildMessage[] }
      if (!Array.isArray(errors)) throw error
      return failed(reading, errors.map(messageOf))
    }
  }

  /** Notes what the resolution of modules depends on, besides the files that it finds. */
  #noting(disk: Disk, reading: Reading): Disk {
    return {
      ...disk,
      kindOf: async (path) => {
        const kind = await disk.kindOf(path)
        // Packages change with their manifests.
        if (kind === undefined && !path.includes('/node_modules/')) reading.missing.add(path)
        return kind
      },
      manifest: async (folder) => {
        const manifest = await disk.manifest(folder)
        const path = joinPath(folder, 'package.json')
        if (manifest && !reading.inputs.has(path)) reading.inputs.set(path, await this.#versionOf(path))
        return manifest
      },
    }
  }

  get #mode(): 'development' | 'production' {
    return this.#options.mode ?? 'development'
  }

  async #makePlan(reading: Reading): Promise<Plan> {
    const tsconfig = await readTsConfig(this.#workspace, this.#root)
    for (const name of ['tsconfig.json', 'jsconfig.json', ...tsconfig.files]) {
      const path = name.startsWith('/') ? name : joinPath(this.#root, name)
      reading.inputs.set(path, await this.#versionOf(path))
    }
    const pages: PageOfApp[] = []
    const mapped: string[] = []
    const inline = new Map<string, string>()
    const entries = new Map<string, Entry>()
    for (const entryPoint of this.#options.entryPoints ?? ['index.html']) {
      const path = this.#workspace.resolve(joined(this.#root, entryPoint))
      if (!this.#options.entryPoints && !(await this.#workspace.exists(path))) {
        reading.inputs.set(path, '')
        continue
      }
      if (!/\.html?$/i.test(path)) {
        entries.set(path, this.#entry(path))
        continue
      }
      reading.inputs.set(path, '')
      const { text: html, version } = await this.#workspace.readText(path)
      reading.inputs.set(path, version)
      mapped.push(...mappedElsewhere(html))
      const inputs: string[] = []
      for (const [index, entry] of entriesOf(html).entries()) {
        const input = entry.url === undefined ? `${path}#${index}` : await this.#inputOf(entry.url, path)
        if (entry.code !== undefined) inline.set(input, '\n'.repeat((entry.line ?? 1) - 1) + entry.code)
        inputs.push(input)
        entries.set(input, this.#entry(input))
      }
      pages.push({ path, html, version, inputs })
    }
    const all = [...entries.values()]
    const key = JSON.stringify([all, [...inline], tsconfig.compilerOptions, mapped])
    return { pages, entries: all, inline, tsconfig, mapped, key }
  }

  /** The file that a page names; paths that begin with a slash begin at the root of the site. */
  async #inputOf(url: string, page: string): Promise<string> {
    const written = decodeURIComponent(url.replace(/[?#].*$/s, ''))
    const path = written.startsWith('/') ? joined(this.#root, written.slice(1)) : joined(parentPath(page), written)
    const inPublic = joined(this.#root, `public/${written.replace(/^\/+/, '')}`)
    return !(await this.#workspace.exists(path)) && (await this.#workspace.exists(inPublic)) ? inPublic : path
  }

  #entry(input: string): Entry {
    const name = relativePath(input, this.#root).replace(/\.[^./]+?(?:#(\d+))?$/, (_, index?: string) =>
      index === undefined ? '' : `-${index}`,
    )
    return { input, name: `assets/${name}${/\.css$/.test(input) ? '-style' : ''}` }
  }

  async #contextFor(plan: Plan): Promise<EsbuildContext> {
    if (this.#context && this.#plan?.key === plan.key) return this.#context
    const { context } = await loadEsbuild(this.#options.esbuild ?? {})
    await this.#context?.dispose()
    this.#context = undefined
    const { define = {}, sourcemap = true, external = [], target = 'es2022', limits, minify = this.#mode === 'production' } = this.#options
    const hash = this.#mode === 'production' ? '-[hash]' : ''
    const { compilerOptions: given } = plan.tsconfig
    const { jsx, jsxFactory, jsxFragmentFactory, jsxImportSource, experimentalDecorators, useDefineForClassFields, verbatimModuleSyntax } =
      given
    const compilerOptions = {
      // Decides how class fields behave, where useDefineForClassFields does not.
      target: given.target,
      jsx,
      jsxFactory,
      jsxFragmentFactory,
      jsxImportSource,
      experimentalDecorators,
      useDefineForClassFields,
      verbatimModuleSyntax,
    }
    const isPreserved = jsx === undefined || jsx === 'preserve' || jsx === 'react-native'
    const dev = this.#mode === 'development'
    const env = { MODE: this.#mode, DEV: dev, PROD: !dev, SSR: false, BASE_URL: '/' }
    this.#context = await context({
      entryPoints: plan.entries.map(({ input, name }) => ({ in: input, out: name })),
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      splitting: true,
      platform: 'browser',
      outdir: OUT,
      entryNames: `[dir]/[name]${hash}`,
      chunkNames: 'assets/chunks/[name]-[hash]',
      assetNames: 'assets/[name]-[hash]',
      sourcemap: sourcemap ? 'linked' : false,
      minify,
      target,
      logLevel: 'silent',
      charset: 'utf8',
      ...(isPreserved && { jsx: 'automatic' }),
      tsconfigRaw: { compilerOptions: isPreserved ? { ...compilerOptions, jsx: undefined } : compilerOptions },
      define: {
        'process.env.NODE_ENV': JSON.stringify(this.#mode),
        'import.meta.env': JSON.stringify(env),
        ...define,
      },
      plugins: [
        workspacePlugin({
          workspace: this.#workspace,
          resolution: () => this.#resolution as ResolveOptions,
          reading: () => this.#reading,
          inline: plan.inline,
          external: (specifier) =>
            [...external, ...plan.mapped].some((one) => (one.endsWith('*') ? specifier.startsWith(one.slice(0, -1)) : specifier === one)),
          limits: { modules: limits?.modules ?? MODULES, bytes: limits?.bytes ?? BYTES },
        }),
      ],
    })
    this.#plan = plan
    return this.#context
  }

  #result(plan: Plan, reading: Reading, { errors, warnings, outputFiles = [], metafile }: EsbuildResult): BuildResult {
    if (errors.length > 0) return failed(reading, errors.map(messageOf))
    const outputs: BuildOutput[] = outputFiles.map(({ path, contents }) => {
      const name = path.replaceAll('\\', '/').replace(new RegExp(`^.*?/${OUT}/`), '')
      return { path: name, bytes: name.endsWith('.map') ? plainSources(contents) : contents }
    })
    const made = new Map<string, { readonly file: string; readonly css: string | undefined }>()
    for (const [path, { entryPoint, cssBundle }] of Object.entries(metafile?.outputs ?? {})) {
      if (entryPoint !== undefined)
        made.set(entryPoint.replace(/^[a-z-]+:/, ''), { file: path.slice(OUT.length + 1), css: cssBundle?.slice(OUT.length + 1) })
    }
    for (const page of plan.pages) {
      const relative = relativePath(page.path, this.#root)
      const up = '../'.repeat(relative.split('/').length - 1)
      outputs.push({ path: relative, bytes: new TextEncoder().encode(pageWith(page, (input) => made.get(input), up || './')) })
    }
    return { ok: true, errors: [], warnings: warnings.map(messageOf), outputs, inputs: [...reading.inputs.keys()] }
  }
}

function pageWith(
  { html, inputs }: PageOfApp,
  made: (input: string) => { readonly file: string; readonly css: string | undefined } | undefined,
  up: string,
): string {
  let index = 0
  return replaceEntries(html, (entry: PageEntry) => {
    const output = made(inputs[index++] ?? '')
    if (!output) return html.slice(entry.start, entry.end)
    if (entry.kind === 'style') return withAttribute(entry.tag, 'href', up + output.file)
    const script = withAttribute(withAttribute(entry.tag, 'type', 'module'), 'src', up + output.file)
    const style = output.css === undefined ? '' : `<link rel="stylesheet" href="${up}${output.css}">`
    // Lines after it keep their numbers.
    return `${style}${script}${html.slice(entry.start + entry.tag.length, entry.end).replace(/[^\n]+/g, '')}</script>`
  })
}

const newReading = (): Reading => ({ inputs: new Map(), missing: new Set(), unresolved: [], bytes: 0 })

function failed(reading: Reading, all: readonly BuildMessage[]): BuildResult {
  const [computed] = all.filter(({ text }) => text === COMPUTED)
  const errors = [...all.filter(({ text }) => text !== COMPUTED), ...(computed ? [computed] : [])]
  return { ok: false, errors, ...NOTHING, inputs: [...reading.inputs.keys()] }
}

function messageOf({ text: said, location }: EsbuildMessage): BuildMessage {
  const text = /^Could not resolve (?:import|require)\(/.test(said)
    ? `${said}: the path is computed. Import the modules by their names`
    : said
  if (!location) return { text }
  const { line, column, lineText: code } = location
  // esbuild counts bytes.
  const before = new TextDecoder().decode(new TextEncoder().encode(code).subarray(0, column))
  return { text, file: location.file.replace(/^[a-z-]+:/, '').replace(/#\d+$/, ''), line, column: before.length + 1, code }
}

const CONTENTS = new TextEncoder().encode('"sourcesContent"')
const NAMESPACE = new RegExp(`^"(?:${FILES}|workspace-[a-z]+):`)

/** Virtual paths in the place of `workspace:/...`. A map has megabytes of contents after its sources, which are not parsed for this. */
function plainSources(bytes: Uint8Array): Uint8Array {
  let end = bytes.indexOf(CONTENTS[0] as number)
  while (end >= 0 && !CONTENTS.every((byte, index) => bytes[end + index] === byte)) end = bytes.indexOf(CONTENTS[0] as number, end + 1)
  if (end < 0) end = bytes.length
  const head = new TextDecoder().decode(bytes.subarray(0, end))
  const own = head.replace(/"(?:[^"\\]|\\.)*"/g, (text) => text.replace(NAMESPACE, '"').replace(/[#?][^/"]*"$/, '"'))
  const start = new TextEncoder().encode(own)
  const all = new Uint8Array(start.length + bytes.length - end)
  all.set(start)
  all.set(bytes.subarray(end), start.length)
  return all
}
