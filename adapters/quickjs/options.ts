import type { ProgramOptions } from '../shared/js/program-options.js'
import type { WorkerLike } from '../shared/worker/worker-like.js'
import type { EngineSource } from './engine/wasm.js'

/**
 * Where programs run: in workers, which can be terminated (`true`), or in this thread (`false`). `auto` uses workers if they are available.
 */
export type WorkerOption = boolean | 'auto' | (() => WorkerLike)

/** Schedules the computing time of a program in a thread that serves other work. */
export interface ProgramTurns {
  /**
   * Resolves when the program may compute: before it starts, and after each time it yields. `over` returns true if the program must end and
   * waits no longer.
   */
  take(over: () => boolean): Promise<void>
  /** Called when the program waits for an event, or has ended. A waiting program continues by itself, without `take`. */
  leave(): void
  /**
   * Called often while the program computes, and between promise jobs. `passed` is the number of the engine's jumps and calls since the
   * previous call, usually 250. It is a measure of time for runtimes whose clock stands still while code runs. Returns the reason if the
   * program must end. The program's `stderr` then shows the reason.
   */
  end(passed: number): string | undefined
}

/** Options of `createQuickJs`. */
export interface QuickJsOptions extends ProgramOptions {
  /**
   * The engine's WebAssembly: its URL (a browser's `?url` import of `@jitl/quickjs-wasmfile-release-sync/wasm`), or a compiled module (a
   * static import of `toolport/adapters/quickjs/wasm` in a Worker). Node finds the package by itself.
   */
  readonly wasm?: EngineSource
  /** Default: `auto`. A function must start a worker whose script calls `serveJs()`, such as `createJsWorker` of the Node adapter. */
  readonly worker?: WorkerOption
  /** Memory limit of one program in bytes, including the engine's own 16 MiB and the program's files. Default: 64 MiB. */
  readonly memoryBytes?: number
  /**
   * Stack size of the program in bytes. Default: 1 MiB in worker threads of Node, else 128 KiB, which is enough for about 500 nested calls.
   */
  readonly stackBytes?: number
  /** Limit of computation, in units of 10,000 jumps or calls: for runtimes whose clock stands still while code runs. Default: unlimited. */
  readonly fuel?: number
  /**
   * Creates the scheduler of each program in this thread. If the function throws, the program fails to start. Default: a program yields
   * every few milliseconds.
   */
  readonly turns?: () => ProgramTurns
}
