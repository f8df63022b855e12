import { createWorkerLoaderJs, type WorkerLoaderJsOptions } from '../../../adapters/cloudflare/index.js'
import type { EngineSource, QuickJsOptions } from '../../../adapters/quickjs/index.js'
import type { PortOption } from '../../runtime/compose-runtime.js'
import type { JsAdapter } from '../../types/js.js'
import { jsOf } from './js-option.js'
import { lazyQuickJs } from './quickjs.js'

export interface WorkerJsOptions extends Omit<QuickJsOptions, 'worker'> {
  /** `import wasm from 'toolport/adapters/quickjs/wasm'`: Workers compile what they import, and nothing else. */
  readonly wasm: EngineSource
  /** All memory of one program, bytes, the engine's own 16 MiB included. Default 32 MiB: an isolate has 128 MB for everything. */
  readonly memoryBytes?: number
  /** How often the engine may ask whether to go on. Default 20,000 times, 200 million jumps and calls, as the clock may stand still. */
  readonly fuel?: number
}

/** What `createWorkerRuntime` takes as `js`. */
export type WorkerJsOption = false | WorkerJsOptions | WorkerLoaderJsOptions | PortOption<JsAdapter>

const DEFAULTS = { memoryBytes: 32 * 1024 * 1024, fuel: 20_000, worker: false } as const

/** @throws TypeError for options without an engine */
export function workerJs(option: WorkerJsOption): PortOption<JsAdapter> | undefined {
  return jsOf<WorkerJsOptions | WorkerLoaderJsOptions>(option, createJs)
}

function createJs(options?: WorkerJsOptions | WorkerLoaderJsOptions): PortOption<JsAdapter> {
  if (options && 'loader' in options && options.loader) return createWorkerLoaderJs(options)
  if (options && 'wasm' in options && options.wasm) return lazyQuickJs({ ...DEFAULTS, ...options })
  throw new TypeError(
    `Cannot create a runtime: a Worker has to be given what runs JavaScript. Pass js: { wasm }, with import wasm from 'toolport/adapters/quickjs/wasm', or js: { loader: env.LOADER }, where there is that binding`,
  )
}
