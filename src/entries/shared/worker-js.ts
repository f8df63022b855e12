import { createWorkerLoaderJs, type WorkerLoaderJsOptions } from '../../../adapters/cloudflare/index.js'
import type { EngineSource, QuickJsOptions } from '../../../adapters/quickjs/index.js'
import type { PortOption } from '../../runtime/compose-runtime.js'
import type { JsAdapter } from '../../types/js.js'
import { jsOf } from './js-option.js'
import { lazyQuickJs } from './quickjs.js'

/** QuickJS in the Worker's own isolate. */
export interface WorkerJsOptions extends Omit<QuickJsOptions, 'worker'> {
  /** The module from `import wasm from 'toolport/adapters/quickjs/wasm'`. Workers compile only WebAssembly that they import. */
  readonly wasm: EngineSource
  /** Memory limit of one program in bytes, including the engine's own 16 MiB. Default 32 MiB, because an isolate has 128 MB in all. */
  readonly memoryBytes?: number
  /**
   * Limit of computation, in units of 10,000 jumps and calls. Default 20,000 units (200 million), because the clock may stand still while
   * code runs.
   */
  readonly fuel?: number
}

/** The option `js` of `createWorkerRuntime`. */
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
