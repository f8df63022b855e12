import { createJsWorker, createShellWorker, type ShellWorkerOptions } from 'toolport/adapters/node'
import { service } from '../service.js'

/** Starts worker threads with the script of this checkout, because the build may be older. */
export async function shellWorkers(): Promise<(options?: ShellWorkerOptions) => ReturnType<typeof createShellWorker>> {
  const { shell } = await service('workers')
  return (options) => createShellWorker({ script: shell, ...options })
}

/** Starts worker threads with the script of this checkout, because the build may be older. */
export async function jsWorkers(): Promise<() => ReturnType<typeof createJsWorker>> {
  const { js } = await service('workers')
  return () => createJsWorker({ script: js })
}
