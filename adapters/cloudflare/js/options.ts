import type { JsGrants } from '../../../src/types/js.js'
import type { SnapshotLimits } from '../../shared/js/take-snapshot.js'
import type { WorkerLoaderLike } from './worker-loader-like.js'

export interface WorkerLoaderJsOptions {
  /** The binding: `env.LOADER`, of `worker_loaders` in wrangler's configuration. */
  readonly loader: WorkerLoaderLike
  /** Of the Workers that programs run in. Default `2026-07-01`. */
  readonly compatibilityDate?: string
  /** Processor time of one program, ms, where the platform counts it. Default its `timeoutMs`; without one the platform's own limit. */
  readonly cpuMs?: number
  /** What a program can read at once, taken before it runs if it uses `fs`. Default 32 MiB, 10,000 files. */
  readonly snapshot?: SnapshotLimits
  /** What `import(name)` with a computed name can reach, beside what literals do: files outside node_modules. Default 200 files, 4 MiB. */
  readonly computed?: { readonly maxFiles?: number; readonly maxBytes?: number }
  /** The base of `process.env`. Default empty. */
  readonly env?: Readonly<Record<string, string>>
  /** For programs that name none of their own, one by one. */
  readonly grants?: JsGrants
  /** Of `exports` and `imports` maps. */
  readonly conditions?: readonly string[]
  /** TypeScript to JavaScript; lines stay lines. Default sucrase, where it is installed. */
  readonly transform?: (code: string, path: string) => string | Promise<string>
}
