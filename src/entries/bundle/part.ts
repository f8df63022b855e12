import type { BuildMessage } from '../../types/preview.js'
import type { EsbuildContext, EsbuildResult } from './esbuild-types.js'
import { loadEsbuild } from './load-esbuild.js'
import { type BundlerOptions, BYTES, esbuildOptions, MODULES } from './options.js'
import type { Plan } from './plan.js'
import { workspacePlugin } from './plugin.js'
import { isStale, newReading, notingDisk, type Reading } from './reading.js'
import type { ResolveOptions } from './resolve.js'
import { createSvelteLoader, type SvelteLoader } from './svelte.js'
import type { SvelteCompiler } from './svelte-compiler.js'

interface PartOptions {
  /** Compiles Svelte files. Default: an import of such a file fails. */
  readonly svelte?: SvelteCompiler | undefined
  /** Whether the packages' script provides a file. Default: the script provides no files. */
  readonly isShared?: (path: string) => Promise<boolean>
  /** Additional esbuild options. */
  readonly esbuild?: object
}

/** Entry points that esbuild rebuilds incrementally, and everything that the last build has read. */
export class Part {
  readonly #options: BundlerOptions
  readonly #root: string
  readonly #own: PartOptions
  #reading: Reading = newReading()
  #resolution: ResolveOptions | undefined
  #svelte: SvelteLoader | undefined
  #context: EsbuildContext | undefined
  #key: string | undefined

  constructor(options: BundlerOptions, root: string, own: PartOptions = {}) {
    this.#options = options
    this.#root = root
    this.#own = own
  }

  /** The files and lookups of the last build. */
  get reading(): Reading {
    return this.#reading
  }

  /** Converts a message about compiled code to one about its source. `location`: the file's name with its namespace. */
  async original(location: string, message: BuildMessage): Promise<BuildMessage> {
    return this.#svelte?.original(location, message) ?? message
  }

  isStale(): Promise<boolean> {
    return isStale(this.#options.workspace, this.#reading, this.#resolution)
  }

  async build(plan: Plan): Promise<EsbuildResult> {
    const { workspace, conditions, mode = 'development', js } = this.#options
    this.#reading = newReading()
    this.#resolution = {
      disk: notingDisk(workspace, this.#reading),
      tsconfig: plan.tsconfig,
      root: this.#root,
      conditions: conditions ?? ['browser', 'module', ...(js ? ['svelte'] : []), mode],
    }
    return (await this.#contextFor(plan)).rebuild()
  }

  async #contextFor(plan: Plan): Promise<EsbuildContext> {
    const { entries, inline, tsconfig, mapped } = plan
    const key = JSON.stringify([entries, [...inline], tsconfig.compilerOptions, mapped])
    if (this.#context && this.#key === key) return this.#context
    const { workspace, external = [], limits } = this.#options
    const esbuild = await loadEsbuild(this.#options.esbuild ?? {})
    await this.dispose()
    const left = [...external, ...mapped]
    const resolution = (): ResolveOptions => this.#resolution as ResolveOptions
    const reading = (): Reading => this.#reading
    const svelte = createSvelteLoader({ workspace, esbuild, root: this.#root, compiler: this.#own.svelte, resolution, reading })
    this.#svelte = svelte
    this.#context = await esbuild.context({
      ...esbuildOptions(this.#options, tsconfig),
      ...this.#own.esbuild,
      entryPoints: entries.map(({ input, name }) => ({ in: input, out: name })),
      plugins: [
        workspacePlugin({
          workspace,
          resolution,
          reading,
          svelte,
          inline,
          external: (specifier) => left.some((one) => (one.endsWith('*') ? specifier.startsWith(one.slice(0, -1)) : specifier === one)),
          isShared: this.#own.isShared,
          limits: { modules: limits?.modules ?? MODULES, bytes: limits?.bytes ?? BYTES },
        }),
      ],
    })
    this.#key = key
    return this.#context
  }

  async cancel(): Promise<void> {
    await this.#context?.cancel()
  }

  async dispose(): Promise<void> {
    await this.#context?.dispose()
    this.#context = undefined
  }
}
