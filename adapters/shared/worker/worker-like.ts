/** A `Worker` of a browser, or of Node's `worker_threads`. */
export type WorkerLike = WebWorkerLike | ThreadLike

interface Common {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  terminate(): unknown
  /** `ref` makes the worker keep the process alive, `unref` undoes this. */
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
  /** Called when the worker has ended, or when a message from it could not be received. */
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
    // Prevent the default, or else the browser also reports an error of the page.
    if ('preventDefault' in event && typeof event.preventDefault === 'function') event.preventDefault()
    lost(event)
  })
}

/** Returns whether an error is Node's error for a worker that exceeded its memory limit. */
export function isOutOfMemory(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** Returns whether web workers seem to be available. Does not start a worker. */
export const hasWorkers = (): boolean => typeof (globalThis as { readonly Worker?: unknown }).Worker === 'function'

/** The port of a worker to its parent: `self` in a web worker, or `parentPort` in Node. */
export interface WorkerPort {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
}

interface Globals {
  readonly DedicatedWorkerGlobalScope?: unknown
  readonly process?: { getBuiltinModule?(name: string): { readonly parentPort?: WorkerPort | null } | undefined }
}

/** Returns the port of this worker, or undefined on a page and in the main thread of a process. */
export function findPort(): WorkerPort | undefined {
  const { DedicatedWorkerGlobalScope, process } = globalThis as Globals
  if (typeof DedicatedWorkerGlobalScope === 'function') return globalThis as unknown as WorkerPort
  return process?.getBuiltinModule?.('node:worker_threads')?.parentPort ?? undefined
}
