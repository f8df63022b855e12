import { Worker } from 'node:worker_threads'

/** Options of `createShellWorker`. */
export interface ShellWorkerOptions {
  /**
   * The script of the worker. Default: `toolport/adapters/just-bash/worker`. A bundled program passes its own script, which calls
   * `serveShell()`.
   */
  readonly script?: string | URL
  /** Memory limit of one command in MiB. Only a command over the limit ends. Default: 1024. */
  readonly memoryMiB?: number
}

/**
 * Starts a worker thread for the commands of the virtual shell: `createJustBashShell({ scratch, worker: createShellWorker })`. The thread
 * sees neither the environment nor the arguments of this process.
 */
export function createShellWorker({
  script = new URL(import.meta.resolve('toolport/adapters/just-bash/worker')),
  memoryMiB = 1024,
}: ShellWorkerOptions = {}): Worker {
  return new Worker(script, {
    name: 'toolport-shell',
    argv: [],
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
  })
}

/** Options of `createJsWorker`. */
export interface JsWorkerOptions {
  /**
   * The script of the worker. Default: `toolport/adapters/quickjs/worker`. A bundled program passes its own script, which calls
   * `serveJs()`.
   */
  readonly script?: string | URL
  /**
   * Memory limit of the worker itself in MiB, without the program's memory. Only a program over the limit ends. Default: 512.
   */
  readonly memoryMiB?: number
}

/** Stack size of the thread in MiB, which is enough for programs whose stack is 1 MiB. */
const STACK_MIB = 16

/**
 * Starts a worker thread for programs: `createQuickJs({ worker: createJsWorker })`. The thread sees neither the environment nor the
 * arguments of this process. Its stack is large enough for `stackBytes: 1024 * 1024`.
 */
export function createJsWorker({
  script = new URL(import.meta.resolve('toolport/adapters/quickjs/worker')),
  memoryMiB = 512,
}: JsWorkerOptions = {}): Worker {
  return new Worker(script, {
    name: 'toolport-js',
    argv: [],
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB, stackSizeMb: STACK_MIB },
  })
}
