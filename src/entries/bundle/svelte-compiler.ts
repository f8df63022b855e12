import type { JsAdapter } from '../../types/js.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'
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
/** Maximum length of the files in one run, unless a single file is longer. */
const LONGEST_TOGETHER = 512 * 1024
const LONGEST_REASON = 500
/** The exit code of a program that exceeds its memory limit. */
const OUT_OF_MEMORY = 134
/** File name of the program. The program's `require` resolves as from a file with this name in the root. */
export const PROGRAM_NAME = '[svelte].cjs'

/** The state of one build. */
class Build {
  readonly ending = new AbortController()
  /** Paths of the files that the build has compiled or reused. */
  readonly used = new Set<string>()
  readonly waiting: Job[] = []
  /** Maximum number of files in the next run. */
  most = MOST_TOGETHER
  isRunning = false
  failure: Error | undefined
}

/** Causes of failures that a later build repeats, as long as no file changes. After `MEMORY`, a run with fewer files may succeed. */
const COMPILER = 'compiler'
const MEMORY = 'memory'

/**
 * Runs the workspace's Svelte compiler in the JavaScript sandbox. Loading the compiler takes most of the time, so one run compiles all
 * files that wait for it. Keeps the last result of each file.
 */
export class SvelteCompiler {
  readonly #options: SvelteCompilerOptions
  readonly #known = new Map<string, { readonly code: string; readonly compiler: string; readonly compiled: Compiled }>()
  #build = new Build()
  /** Whether the last run exceeded its time limit. */
  #isSlow = false

  constructor(options: SvelteCompilerOptions) {
    this.#options = options
  }

  /** Begins a build. */
  begin(): void {
    this.#build = new Build()
  }

  /** Stops the runs of the current build. */
  stop(): void {
    this.#build.ending.abort()
  }

  /** Forgets files that the current build did not use. Call after a successful build. */
  forgetUnused(): void {
    for (const path of this.#known.keys()) if (!this.#build.used.has(path)) this.#known.delete(path)
  }

  /** Whether the current build has failed, and the next one may succeed even if no file changes. */
  get mayRecover(): boolean {
    const { failure } = this.#build
    return failure !== undefined && failure.cause !== COMPILER && failure.cause !== MEMORY
  }

  /**
   * Compiles a file, unless the last result has the same code and compiler.
   *
   * @throws {Error} with the reason, if the program fails. Then the other files of the build fail with the same object.
   */
  async compile({ path, code }: SvelteSource, compiler: string): Promise<Compiled> {
    const build = this.#build
    build.used.add(path)
    const known = this.#known.get(path)
    if (known?.code === code && known.compiler === compiler) return known.compiled
    const compiled = await new Promise<Compiled>((resolve, reject) => {
      build.waiting.push({ path, code, resolve, reject })
      void this.#drain(build)
    })
    this.#known.set(path, { code, compiler, compiled })
    return compiled
  }

  async #drain(build: Build): Promise<void> {
    if (build.isRunning) return
    build.isRunning = true
    const { host } = this.#options.workspace
    while (build.waiting.length > 0) {
      // Waits as long as esbuild asks for further files.
      for (let before = 0; before < build.waiting.length; await host.yield()) before = build.waiting.length
      const jobs = nextJobs(build)
      try {
        if (build.failure) throw build.failure
        const results = await this.#run(build, jobs)
        for (const [index, { resolve }] of jobs.entries()) resolve(results[index] as Compiled)
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error))
        if (failure.cause === MEMORY && jobs.length > 1 && !build.failure) {
          build.most = 1
          build.waiting.unshift(...jobs)
        } else {
          build.failure = failure
          for (const { reject } of jobs) reject(failure)
        }
      }
    }
    build.isRunning = false
  }

  async #run(build: Build, jobs: readonly Job[]): Promise<readonly Compiled[]> {
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
      signal: build.ending.signal,
      timeoutMs,
      maxBytes: 4096,
    })
    // A second timeout counts as permanent. Otherwise, a preview would start another run at once, again and again.
    const cause = this.#isSlow ? COMPILER : undefined
    this.#isSlow = timedOut
    if (timedOut) {
      const text = `the Svelte compiler has not finished after ${timeoutMs} ms. Import fewer components, or ask the developer of this program to raise the bundler's time limit`
      throw new Error(text, { cause })
    }
    if (aborted) throw new Error('the build was stopped. Build again')
    if (exitCode === OUT_OF_MEMORY || /out of memory|not handed over/.test(stderr)) {
      const text =
        'the Svelte compiler needs more memory than the sandbox has. Make the component smaller, or ask the developer of this program to give the sandbox more memory'
      throw new Error(text, { cause: MEMORY })
    }
    const compiled = exitCode === 0 ? readCompiled(result, files) : undefined
    if (compiled) return compiled
    const problem = exitCode === 0 ? 'returned no valid result' : `failed${reasonOf(stderr)}`
    throw new Error(`the Svelte compiler ${problem}. Install another version of "svelte"`, { cause: COMPILER })
  }
}

/** Takes the files of the next run out of the waiting ones. */
function nextJobs({ waiting, most }: Build): readonly Job[] {
  let length = 0
  const end = waiting.slice(0, most).findIndex(({ code }, index) => {
    length += code.length
    return index > 0 && length > LONGEST_TOGETHER
  })
  return waiting.splice(0, end < 0 ? most : end)
}

/** Finds the error message in the output of a failed program. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((line) => /^\w*(?:Error|Exception)\b|memory/i.test(line.trim())) ?? lines[0]
  return line === undefined ? '' : `: ${line.trim().slice(0, LONGEST_REASON).replace(/\.$/, '')}`
}
