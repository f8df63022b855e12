import { Worker } from 'node:worker_threads'

export interface ShellWorkerOptions {
  /** The script of the worker. Default `toolport/adapters/just-bash/worker`. A bundled program passes that of its own, which calls `serveShell()`. */
  readonly script?: string | URL
  /** What one command may need at the most: one that needs more is ended, and nothing else. Default 1024. */
  readonly memoryMiB?: number
}

/**
 * A worker thread for the commands of the virtual shell: `createJustBashShell({ scratch, worker: createShellWorker })`. It sees neither the
 * environment nor the arguments of this process.
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

export interface JsWorkerOptions {
  /** The script of the worker. Default `toolport/adapters/quickjs/worker`. A bundled program passes that of its own, which calls `serveJs()`. */
  readonly script?: string | URL
  /** What the worker itself may need beside a program's memory: one that needs more is ended, and nothing else. Default 512. */
  readonly memoryMiB?: number
}

/** Enough for programs whose stack is 1 MiB. */
const STACK_MIB = 16

/**
 * A worker thread for programs: `createQuickJs({ worker: createJsWorker })`. It sees neither the environment nor the arguments of this
 * process. Its stack is large enough for `stackBytes: 1024 * 1024`.
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
