import { joined } from '../../packages/modules/specifiers.js'
import type { JsAdapter } from '../../types/js.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath, parentPath } from '../../workspace/paths.js'
import { type Compiled, PROGRAM, readCompiled, type SvelteSource } from './svelte-program.js'

export interface SvelteCompilerOptions {
  readonly workspace: Workspace
  readonly js: JsAdapter
  /** Folder from which `svelte/compiler` resolves. */
  readonly root: string
  readonly dev: boolean
  /** Time limit of one run, in milliseconds. */
  readonly timeoutMs: number
}

interface Job extends SvelteSource {
  readonly resolve: (compiled: Compiled) => void
  readonly reject: (reason: Error) => void
}

/** Maximum number of files in one run. Their results have to fit into the sandbox's memory together. */
const MOST_TOGETHER = 50
const LONGEST_REASON = 500
/** File name of the program. The program's `require` resolves as from a file with this name in the root. */
export const PROGRAM_NAME = '[svelte].cjs'
const IMPORTED = /\b(?:from|import)\s*["'](\.{1,2}\/[^"'\n]+\.svelte)["']/g

/**
 * Runs the workspace's Svelte compiler in the JavaScript sandbox. Loading the compiler takes most of the time, so one run compiles many
 * files, including components that these files import. Keeps the last result of each file.
 */
export class SvelteCompiler {
  readonly #options: SvelteCompilerOptions
  readonly #known = new Map<string, { readonly code: string; readonly compiler: string; readonly result: Promise<Compiled> }>()
  /** Paths that this build has already visited. */
  #seen = new Set<string>()
  #waiting: Job[] = []
  #isRunning = false
  #ending = new AbortController()
  #failure: Error | undefined

  constructor(options: SvelteCompilerOptions) {
    this.#options = options
  }

  /** Begins a build. */
  begin(): void {
    this.#ending = new AbortController()
    this.#failure = undefined
    this.#seen.clear()
  }

  /** Stops the runs of the current build. */
  stop(): void {
    this.#ending.abort()
  }

  /**
   * Compiles a file, unless the last result has the same code and compiler.
   *
   * @throws {Error} with the reason, if the program fails. Then the other files of the build fail too.
   */
  compile(source: SvelteSource, compiler: string): Promise<Compiled> {
    const { path, code } = source
    this.#seen.add(path)
    const known = this.#known.get(path)
    if (known?.code === code && known.compiler === compiler) return known.result
    const result = new Promise<Compiled>((resolve, reject) => this.#waiting.push({ ...source, resolve, reject }))
    this.#known.set(path, { code, compiler, result })
    result.catch(() => {
      // The next build tries again.
      if (this.#known.get(path)?.result === result) this.#known.delete(path)
    })
    void this.#drain(compiler)
    return result
  }

  async #drain(compiler: string): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      await this.#addImports(compiler)
      const jobs = this.#waiting.splice(0, MOST_TOGETHER)
      const build = this.#ending
      try {
        if (this.#failure) throw this.#failure
        const results = await this.#run(jobs)
        for (const [index, { resolve }] of jobs.entries()) resolve(results[index] as Compiled)
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error))
        // A run of a stopped build may end during the next build.
        if (build === this.#ending) this.#failure = failure
        for (const { reject } of jobs) reject(failure)
      }
    }
    this.#isRunning = false
  }

  /** Adds the components that waiting files import, before esbuild finds them. */
  async #addImports(compiler: string): Promise<void> {
    const { workspace } = this.#options
    // The loop also visits files that it adds.
    for (const { path, code } of this.#waiting) {
      for (const [, specifier = ''] of code.matchAll(IMPORTED)) {
        const imported = joined(parentPath(path), specifier)
        if (this.#seen.has(imported)) continue
        this.#seen.add(imported)
        // esbuild reports a file that cannot be read.
        const file = await workspace.readBytes(imported).catch(() => undefined)
        if (file) this.compile({ path: imported, code: new TextDecoder().decode(file.bytes) }, compiler).catch(() => {})
      }
    }
  }

  async #run(jobs: readonly Job[]): Promise<readonly Compiled[]> {
    const { js, root, dev, timeoutMs } = this.#options
    const files = jobs.map(({ path, code }) => ({ path, code }))
    const { result, exitCode, stderr, timedOut, aborted } = await js.run({
      code: PROGRAM,
      format: 'commonjs',
      filename: joinPath(root, PROGRAM_NAME),
      cwd: root,
      stdin: JSON.stringify({ options: { generate: 'client', dev, rootDir: root }, files }),
      // The compiler is code of the workspace, so the run has no grants, whatever the adapter grants to other programs.
      grants: { fs: 'none', fetch: undefined, servers: undefined, invokeTool: undefined },
      signal: this.#ending.signal,
      timeoutMs,
      maxBytes: 4096,
    })
    if (timedOut) {
      throw new Error(
        `the Svelte compiler has not finished after ${timeoutMs} ms. Import fewer components, or ask the developer of this program to raise the bundler's time limit`,
      )
    }
    if (aborted) throw new Error('the build was stopped. Build again')
    if (exitCode !== 0) throw new Error(`the Svelte compiler failed${reasonOf(stderr)}. Install another version of "svelte"`)
    const compiled = readCompiled(result, files)
    if (!compiled) throw new Error('the Svelte compiler returned no valid result. Install another version of "svelte"')
    return compiled
  }
}

/** Finds the error message in the output of a failed program. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((line) => /^\w*(?:Error|Exception)\b|memory/i.test(line.trim())) ?? lines[0]
  return line === undefined ? '' : `: ${line.trim().slice(0, LONGEST_REASON).replace(/\.$/, '')}`
}
