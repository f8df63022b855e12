import type { ProgramOptions } from '../../shared/js/program-options.js'
import type { WorkerLoaderLike } from './worker-loader-like.js'

/** Options of `createWorkerLoaderJs`. */
export interface WorkerLoaderJsOptions extends ProgramOptions {
  /** The binding `env.LOADER`, from `worker_loaders` in wrangler's configuration. */
  readonly loader: WorkerLoaderLike
  /** Compatibility date of the Workers that run programs. Default `2026-07-01`. */
  readonly compatibilityDate?: string
  /** CPU time of one program in milliseconds, if the platform measures it. Default its `timeoutMs`, else the platform's own limit. */
  readonly cpuMs?: number
  /**
   * Limits of the files that `import(name)` with a computed name can load, in addition to literal imports: files outside node_modules.
   * Default 200 files, 4 MiB.
   */
  readonly computed?: { readonly maxFiles?: number; readonly maxBytes?: number }
}
