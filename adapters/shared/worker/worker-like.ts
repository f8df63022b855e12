/** A `Worker` of a browser, or of Node's `worker_threads`. */
export type WorkerLike = WebWorkerLike | ThreadLike

interface Common {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  terminate(): unknown
  /** Whether the worker keeps the process alive. */
  ref?(): void
  unref?(): void
}

interface WebWorkerLike extends Common {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'error' | 'messageerror', listener: (event: object) => void): void
}

interface ThreadLike extends Common {
  on(event: 'message' | 'error' | 'messageerror', listener: (value: unknown) => void): unknown
  on(event: 'exit', listener: (code: number) => void): unknown
}

export interface WorkerListener {
  message(data: unknown): void
  /** The worker has ended, or a message from it was lost. */
  lost(cause: unknown): void
}

export function listen(worker: WorkerLike, { message, lost }: WorkerListener): void {
  if ('on' in worker) {
    worker.on('message', message)
    worker.on('error', lost)
    worker.on('messageerror', lost)
    worker.on('exit', lost)
    return
  }
  worker.addEventListener('message', ({ data }) => message(data))
  worker.addEventListener('messageerror', lost)
  worker.addEventListener('error', (event) => {
    // Otherwise, the browser also reports an error of the page.
    if ('preventDefault' in event && typeof event.preventDefault === 'function') event.preventDefault()
    lost(event)
  })
}

/** Whether the error is Node's code for a worker over its memory limit. */
export function isOutOfMemory(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** Whether web workers seem to be available, without starting one. */
export const hasWorkers = (): boolean => typeof (globalThis as { readonly Worker?: unknown }).Worker === 'function'

/** A worker's port to its parent: `self` of a web worker, or `parentPort` of Node. */
export interface WorkerPort {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
}

interface Globals {
  readonly DedicatedWorkerGlobalScope?: unknown
  readonly process?: { getBuiltinModule?(name: string): { readonly parentPort?: WorkerPort | null } | undefined }
}

/** Undefined on a page and in the main thread of a process. */
export function findPort(): WorkerPort | undefined {
  const { DedicatedWorkerGlobalScope, process } = globalThis as Globals
  if (typeof DedicatedWorkerGlobalScope === 'function') return globalThis as unknown as WorkerPort
  return process?.getBuiltinModule?.('node:worker_threads')?.parentPort ?? undefined
}
