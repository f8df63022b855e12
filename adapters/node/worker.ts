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
export function createShellWorker({ script = ownScript(), memoryMiB = 1024 }: ShellWorkerOptions = {}): Worker {
  return new Worker(script, {
    name: 'toolport-shell',
    argv: [],
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
  })
}

const ownScript = (): URL => new URL(import.meta.resolve('toolport/adapters/just-bash/worker'))
