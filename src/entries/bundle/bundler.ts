import { required } from '../../errors/required.js'
import { createLimit } from '../../ops/concurrency.js'
import type { JsAdapter } from '../../types/js.js'
import type { BuildMessage, BuildOutput, BuildResult, Bundler } from '../../types/preview.js'
import { joinPath, relativePath } from '../../workspace/paths.js'
import { assetsOf } from './assets.js'
import type { EsbuildMessage, EsbuildResult } from './esbuild-types.js'
import { type BundlerOptions, BYTES, COMPILE_MS, checkLimits, FILES, MODULES, OUT } from './options.js'
import { Part } from './part.js'
import { type EntryOutput, makePlan, type Plan, pageWith } from './plan.js'
import { COMPUTED } from './plugin.js'
import { isStale, newReading, type Reading } from './reading.js'
import { haveSameModule, isCommonJsOfPackage, isOneScript, PACKAGES, PACKAGES_BUILD, planShared, SHARED } from './shared-packages.js'
import { SvelteCompiler } from './svelte-compiler.js'

const NOTHING = { outputs: [], warnings: [] }
const PAGE = /\.html?$/i

/**
 * Creates a bundler that uses esbuild. Supports TypeScript, JSX, CSS, CSS modules, JSON, assets, `tsconfig.json` paths, packages from
 * `node_modules` of the workspace, and, with a `js` sandbox, Svelte. The first build loads esbuild. The bundler reads files through the
 * workspace, so path rules apply, and it writes no files.
 *
 * @throws {TypeError} without a workspace, if `entryPoints` is not a list of names, for an unknown mode or an invalid limit, and if `js` is
 * not a sandbox
 */
export function createBundler(options: BundlerOptions): Bundler {
  const { workspace, entryPoints = ['index.html'], mode = 'development' } = { ...options }
  required('createBundler', 'the option "workspace", a Workspace', workspace, 'readBytes')
  if (!Array.isArray(entryPoints) || entryPoints.length === 0 || !entryPoints.every((one) => typeof one === 'string' && one !== '')) {
    throw new TypeError('createBundler: "entryPoints" must be a list of file names')
  }
  if (mode !== 'development' && mode !== 'production') throw new TypeError('createBundler: "mode" must be "development" or "production"')
  checkLimits(options.limits)
  return new WorkspaceBundler(options, workspace.resolve(options.root ?? workspace.root))
}

/** The last build of the packages' script. */
interface Shared {
  /** Identifies what the result was built from: the modules that the app requires, and the import maps of its pages. */
  readonly key: string
  readonly result: EsbuildResult
  readonly outputs: readonly BuildOutput[]
}

class WorkspaceBundler implements Bundler {
  readonly #options: BundlerOptions
  readonly #root: string
  readonly #whole: Part
  readonly #app: Part
  readonly #packages: Part
  readonly #js: JsAdapter | undefined
  readonly #svelte: SvelteCompiler | undefined
  #shared: Shared | undefined
  /** Paths of CommonJS modules of packages that the app imports. The packages' script provides these modules. */
  readonly #required = new Set<string>()
  readonly #kinds = new Map<string, Promise<boolean>>()
  /** Whether one build contains the app and its packages. Otherwise, the packages have a build and a script of their own. */
  #isWhole: boolean
  /** The pages and configuration files from which the last plan was made. */
  #planned: Reading = newReading()
  #parts: readonly Part[] = []
  #last: BuildResult | undefined
  readonly #inTurn = createLimit(1)
  #isDisposed = false

  constructor(options: BundlerOptions, root: string) {
    const { mode, entryPoints = [] } = options
    this.#options = options
    this.#root = root
    this.#js = sandboxOf(options)
    const { workspace, limits } = options
    const settings = { workspace, root, dev: mode !== 'production', timeoutMs: limits?.compileMs ?? COMPILE_MS }
    const svelte = this.#js && new SvelteCompiler({ ...settings, js: this.#js })
    this.#svelte = svelte
    this.#whole = new Part(options, root, { svelte })
    this.#app = new Part(options, root, { svelte, isShared: (path) => this.#isShared(path) })
    this.#packages = new Part(options, root, { esbuild: PACKAGES_BUILD })
    // Only a page can load a second script.
    this.#isWhole = mode === 'production' || !entryPoints.every((one) => PAGE.test(one))
  }

  build({ signal, assets = false }: { readonly signal?: AbortSignal; readonly assets?: boolean } = {}): Promise<BuildResult> {
    // Builds run one after another. A build that is requested during another one includes the latest changes.
    return this.#inTurn(async () => {
      const result = await this.#buildChanged(signal)
      return assets && result.ok ? this.#withAssets(result, signal) : result
    })
  }

  async #withAssets(result: BuildResult, signal: AbortSignal | undefined): Promise<BuildResult> {
    const { workspace, limits } = this.#options
    if (result.outputs.length === 0) return { ...result, ok: false, errors: result.warnings, warnings: [] }
    const most = { files: limits?.modules ?? MODULES, bytes: limits?.bytes ?? BYTES }
    const assets = await assetsOf(workspace, this.#root, result.outputs, { limits: most, signal })
    return 'error' in assets
      ? { ...result, ok: false, errors: [{ text: assets.error }], outputs: [] }
      : { ...result, outputs: [...assets.outputs, ...result.outputs] }
  }

  async #buildChanged(signal: AbortSignal | undefined): Promise<BuildResult> {
    this.#checkWanted(signal)
    if (this.#last && !(await this.#isStale())) return this.#last
    this.#checkWanted(signal)
    // A stopped build has read only some of its files, so the last result can no longer be checked for changes.
    this.#last = undefined
    const stop = (): void => {
      this.#svelte?.stop()
      for (const part of [this.#whole, this.#app, this.#packages]) void part.cancel()
    }
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const result = await this.#build(signal)
      signal?.throwIfAborted()
      if (result.ok) this.#svelte?.forgetUnused()
      // After a temporary failure, the next build tries again, even if no file has changed.
      if (!this.#svelte?.mayRecover) this.#last = result
      return result
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** @throws {Error} the signal's reason; if the bundler is disposed */
  #checkWanted(signal: AbortSignal | undefined): void {
    if (this.#isDisposed) throw new Error('Cannot build: the bundler is disposed. Create another one.')
    signal?.throwIfAborted()
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    this.#svelte?.stop()
    await this.#inTurn(async () => undefined)
    await Promise.all([this.#whole.dispose(), this.#app.dispose(), this.#packages.dispose()])
    if (typeof this.#options.js === 'function') await this.#js?.close?.()
  }

  async #isStale(): Promise<boolean> {
    if (await isStale(this.#options.workspace, this.#planned, undefined)) return true
    for (const part of this.#parts) if (await part.isStale()) return true
    return false
  }

  async #build(signal: AbortSignal | undefined): Promise<BuildResult> {
    this.#planned = newReading()
    this.#parts = []
    this.#svelte?.begin()
    let plan: Plan
    try {
      plan = await makePlan(this.#options, this.#root, this.#planned)
    } catch (error) {
      return this.#failed([{ text: error instanceof Error ? error.message : String(error) }])
    }
    if (plan.entries.length === 0) {
      const text = `Nothing to build: "${joinPath(this.#root, 'index.html')}" does not exist. Write it, or set "entryPoints".`
      return this.#result(plan, { errors: [], warnings: plan.pages.length > 0 ? [] : [{ text, location: null }] })
    }
    try {
      if (this.#isWhole) return this.#result(plan, await this.#buildWhole(plan))
      const parts = await this.#buildParts(plan)
      if (parts) return this.#result(plan, ...parts)
      signal?.throwIfAborted()
      const whole = await this.#buildWhole(plan)
      this.#isWhole = true
      this.#shared = undefined
      await Promise.all([this.#app.dispose(), this.#packages.dispose()])
      return this.#result(plan, whole)
    } catch (error) {
      const { errors } = error as { errors?: readonly EsbuildMessage[] }
      if (!Array.isArray(errors)) throw error
      return this.#failed(await Promise.all(errors.map((error) => this.#explained(error))))
    }
  }

  #buildWhole(plan: Plan): Promise<EsbuildResult> {
    this.#parts = [this.#whole]
    return this.#whole.build(plan)
  }

  /** Builds the app, and the packages' script if the app needs one. Undefined if one build has to contain both. */
  async #buildParts(plan: Plan): Promise<readonly [app: EsbuildResult, packages?: Shared] | undefined> {
    if (this.#shared && (await this.#packages.isStale())) this.#shared = undefined
    if (!this.#shared) this.#kinds.clear()
    this.#required.clear()
    this.#parts = [this.#app]
    const app = await this.#app.build(plan)
    const paths = [...this.#required].sort()
    if (paths.length === 0) return [app]
    this.#parts = [this.#app, this.#packages]
    const key = JSON.stringify([paths, plan.mapped])
    if (this.#shared?.key !== key) {
      this.#shared = undefined
      const result = await this.#packages.build(planShared(plan, paths)).catch(() => undefined)
      if (!result || !isOneScript(result)) return undefined
      this.#shared = { key, result, outputs: outputsOf(result) }
    }
    if (haveSameModule(app, this.#shared.result) || !this.#isWithinLimits()) return undefined
    await this.#whole.dispose()
    return [app, this.#shared]
  }

  /** Whether the app and the packages' script together stay within the limits. */
  #isWithinLimits(): boolean {
    const { modules = MODULES, bytes = BYTES } = this.#options.limits ?? {}
    const [app, packages] = [this.#app.reading, this.#packages.reading]
    return app.inputs.size + packages.inputs.size <= modules && app.bytes + packages.bytes <= bytes
  }

  async #isShared(path: string): Promise<boolean> {
    const known = this.#kinds.get(path) ?? isCommonJsOfPackage(this.#options.workspace, path)
    this.#kinds.set(path, known)
    const isShared = await known
    if (isShared) this.#required.add(path)
    return isShared
  }

  #failed(all: readonly BuildMessage[]): BuildResult {
    const [computed] = all.filter(({ text }) => text === COMPUTED)
    const errors = [...all.filter(({ text }) => text !== COMPUTED), ...(computed ? [computed] : [])]
    return { ok: false, errors, ...NOTHING, inputs: this.#inputs() }
  }

  /** Converts a message of esbuild about the app. Its position is in the source, also if the source is compiled before esbuild reads it. */
  async #messageOf(given: EsbuildMessage): Promise<BuildMessage> {
    const message = messageOf(given)
    const [app] = this.#parts
    return given.location && app ? app.original(given.location.file, message) : message
  }

  /** Converts an error of esbuild. For an import that the plugin could not resolve, uses the plugin's text instead of esbuild's. */
  async #explained(error: EsbuildMessage): Promise<BuildMessage> {
    const message = await this.#messageOf(error)
    const cause = this.#parts
      .flatMap(({ reading }) => reading.unresolved)
      .find(({ importer, written }) => importer === message.file && error.text === `Could not resolve ${JSON.stringify(written)}`)
    return cause ? { ...message, text: cause.text } : message
  }

  #inputs(): readonly string[] {
    return [...new Set([...this.#planned.inputs.keys(), ...this.#parts.flatMap(({ reading }) => [...reading.inputs.keys()])])]
  }

  async #result(plan: Plan, app: EsbuildResult, packages?: Shared): Promise<BuildResult> {
    if (app.errors.length > 0) return this.#failed(await Promise.all(app.errors.map((error) => this.#explained(error))))
    const outputs = [...(packages?.outputs ?? []), ...outputsOf(app)]
    const made = new Map<string, EntryOutput>()
    for (const [path, { entryPoint, cssBundle }] of Object.entries(app.metafile?.outputs ?? {})) {
      if (entryPoint !== undefined)
        made.set(entryPoint.replace(/^[a-z-]+:/, ''), { file: path.slice(OUT.length + 1), css: cssBundle?.slice(OUT.length + 1) })
    }
    const script = packages && `${PACKAGES}.js`
    for (const page of plan.pages) {
      const html = pageWith(page, this.#root, made, script)
      outputs.push({ path: relativePath(page.path, this.#root), bytes: new TextEncoder().encode(html) })
    }
    const own = await Promise.all(app.warnings.map((warning) => this.#messageOf(warning)))
    const warnings = [...own, ...(packages?.result.warnings ?? []).map(messageOf)]
    return { ok: true, errors: [], warnings, outputs, inputs: this.#inputs() }
  }
}

/** @throws {TypeError} if `js` is not a JavaScript adapter, or if the adapter is not isolated from the machine */
function sandboxOf({ workspace, js }: BundlerOptions): JsAdapter | undefined {
  if (js === undefined) return undefined
  const adapter = required('createBundler', 'for the option "js" a JsAdapter', typeof js === 'function' ? js(workspace) : js, 'run')
  if (adapter.can?.isolated) return adapter
  if (typeof js === 'function') adapter.close?.().catch(() => {})
  throw new TypeError(
    `createBundler: the JavaScript adapter "${adapter.name}" is no sandbox. Pass an isolated adapter as "js", such as createQuickJs()`,
  )
}

function outputsOf({ outputFiles = [] }: EsbuildResult): readonly BuildOutput[] {
  return outputFiles.map(({ path, contents }) => {
    const name = path.replaceAll('\\', '/').replace(new RegExp(`^.*?/${OUT}/`), '')
    return { path: name, bytes: name.endsWith('.map') ? plainSources(contents) : contents }
  })
}

function messageOf({ text: said, location }: EsbuildMessage): BuildMessage {
  const text = /^Could not resolve (?:import|require)\(/.test(said)
    ? `${said}: the path is computed. Import the modules by their names`
    : said
  if (!location) return { text }
  const { line, column, lineText: code } = location
  // esbuild counts columns in bytes.
  const before = new TextDecoder().decode(new TextEncoder().encode(code).subarray(0, column))
  return { text, file: location.file.replace(/^[a-z-]+:/, '').replace(/#\d+$/, ''), line, column: before.length + 1, code }
}

const CONTENTS = new TextEncoder().encode('"sourcesContent"')
/** Matches the namespace in front of a path, except for a stub of the packages' script: a stub is not the file that its path names. */
const NAMESPACE = new RegExp(`^"(?:${FILES}|workspace-(?!${SHARED}\\b)[a-z]+):`)

/** Replaces `workspace:/...` in a source map by virtual paths. Decodes only the part before `sourcesContent`, which may be very long. */
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
