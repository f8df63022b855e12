import type { ProgramOptions } from '../shared/js/program-options.js'
import type { WorkerLike } from '../shared/worker/worker-like.js'
import type { EngineSource } from './engine/wasm.js'

/** Where programs run: in workers, which can be ended; `auto`: where there are any, else in this thread. */
export type WorkerOption = boolean | 'auto' | (() => WorkerLike)

/** When one program in this thread computes, and how long, beside others that the thread serves. */
export interface ProgramTurns {
  /** Resolves when it may compute: before it begins, and after it has given way. `over`: it is to end, and waits no more. */
  take(over: () => boolean): Promise<void>
  /** It waits for something, or has ended. It goes on by itself, without `take`. */
  leave(): void
  /** Asked while it computes, every 10,000 jumps and calls: why it has to end, which its `stderr` is told. */
  end(): string | undefined
}

export interface QuickJsOptions extends ProgramOptions {
  /**
   * The engine's WebAssembly: where it is (a browser's `?url` import of `@jitl/quickjs-wasmfile-release-sync/wasm`), or compiled (a static
   * import of `toolport/adapters/quickjs/wasm` in a Worker). Node finds it by itself.
   */
  readonly wasm?: EngineSource
  /** Default `auto`. A function starts a worker whose script calls `serveJs()`: `createJsWorker` of the Node adapter. */
  readonly worker?: WorkerOption
  /** All memory of one program, bytes: the engine's own 16 MiB and what its files add included. Default 64 MiB. */
  readonly memoryBytes?: number
  /** Of the guest's stack. Default 1 MiB in worker threads of Node, else 128 KiB, which is about 500 calls deep. */
  readonly stackBytes?: number
  /**
   * How many units of 10,000 jumps or calls a program may run: for runtimes whose clock stands still while code runs.
   * Default none.
   */
  readonly fuel?: number
  /** Of each program in this thread; what it throws is told as the failure to start it. Default: a program gives way every few ms. */
  readonly turns?: () => ProgramTurns
}
