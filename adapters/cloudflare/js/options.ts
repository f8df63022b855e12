import type { ProgramOptions } from '../../shared/js/program-options.js'
import type { WorkerLoaderLike } from './worker-loader-like.js'

/** Options of `createWorkerLoaderJs`. */
export interface WorkerLoaderJsOptions extends ProgramOptions {
  /** The binding `env.LOADER`, from `worker_loaders` in wrangler's configuration. */
  readonly loader: WorkerLoaderLike
  /** Compatibility date of the Workers that run programs. Default: `2026-07-01`. */
  readonly compatibilityDate?: string
  /**
   * Maximum CPU time of one program in milliseconds, if the platform measures CPU time. Default: the program's `timeoutMs`, or else the
   * platform's own limit.
   */
  readonly cpuMs?: number
  /**
   * Limits of the files that a program can load by `import(name)` with a computed name. These are files outside node_modules. Files that a
   * literal specifier names do not count. `maxFiles`: number of files (default: 200). `maxBytes`: total length of their code (default: 4
   * MiB).
   */
  readonly computed?: { readonly maxFiles?: number; readonly maxBytes?: number }
}
