import type { ProgramOptions } from '../../shared/js/program-options.js'
import type { WorkerLoaderLike } from './worker-loader-like.js'

export interface WorkerLoaderJsOptions extends ProgramOptions {
  /** The binding: `env.LOADER`, of `worker_loaders` in wrangler's configuration. */
  readonly loader: WorkerLoaderLike
  /** Of the Workers that programs run in. Default `2026-07-01`. */
  readonly compatibilityDate?: string
  /** Processor time of one program, ms, where the platform counts it. Default its `timeoutMs`; without one the platform's own limit. */
  readonly cpuMs?: number
  /** What `import(name)` with a computed name can reach, beside what literals do: files outside node_modules. Default 200 files, 4 MiB. */
  readonly computed?: { readonly maxFiles?: number; readonly maxBytes?: number }
}
