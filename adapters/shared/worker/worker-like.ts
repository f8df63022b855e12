/** A `Worker` of a browser, or of Node's `worker_threads`. */
export type WorkerLike = WebWorkerLike | ThreadLike

interface Common {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  terminate(): unknown
  /** Whether it keeps the process from ending. */
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
  /** It runs no more, or what it sent is lost. */
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
    // Else the browser reports it as the page's own.
    if ('preventDefault' in event && typeof event.preventDefault === 'function') event.preventDefault()
    lost(event)
  })
}

/** Node says by a code that a worker needed more memory than it may have. */
export function isOutOfMemory(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** Whether there are web workers here, as far as that can be told without starting one. */
export const hasWorkers = (): boolean => typeof (globalThis as { readonly Worker?: unknown }).Worker === 'function'

/** Where a worker hears of whoever started it: a web worker's `self`, or the `parentPort` of Node. */
export interface WorkerPort {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
}

interface Globals {
  readonly DedicatedWorkerGlobalScope?: unknown
  readonly process?: { getBuiltinModule?(name: string): { readonly parentPort?: WorkerPort | null } | undefined }
}

/** None on a page, and in the first thread of a process. */
export function findPort(): WorkerPort | undefined {
  const { DedicatedWorkerGlobalScope, process } = globalThis as Globals
  if (typeof DedicatedWorkerGlobalScope === 'function') return globalThis as unknown as WorkerPort
  return process?.getBuiltinModule?.('node:worker_threads')?.parentPort ?? undefined
}
