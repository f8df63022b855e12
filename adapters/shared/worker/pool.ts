import { systemHost } from '../../../src/host.js'
import { createLine, type Handlers, type Line } from './rpc.js'
import { isOutOfMemory, listen, type WorkerLike } from './worker-like.js'

/**
 * Milliseconds to wait for the first answer of a worker. A script that is not the worker's never answers. Long enough for a busy machine.
 */
const FIRST_HELLO_MS = 20_000
/** Milliseconds to wait after another worker of this script has answered, which proves that the script is the right one. */
const HELLO_MS = 300_000

/** `T`: what `hello` returns for each worker. */
export interface PoolOptions<T> {
  readonly worker: () => WorkerLike
  /** Awaited before each worker starts. */
  prepare?(): Promise<unknown>
  /** Handlers for the messages of each worker, besides those of its task. */
  handlers?(line: Line): Handlers
  /** Makes the first call. A worker that does not answer in time counts as a wrong script. */
  hello(line: Line): Promise<T>
  /** Makes a call after `hello`, without a time limit. */
  open?(line: Line): Promise<unknown>
  /** Returns the error for the calls of a worker that has ended. */
  ended(why: string, cause: unknown): Error
  /** Returns the error for a worker that does not start. */
  notStarted(cause: unknown): Error
  /** Returns the error for calls after `close`. */
  closed(): Error
  /** The reason that running tasks get when the pool closes. */
  readonly closing: string
}

/** One worker, for one task at a time. */
export class PooledWorker<T = unknown> {
  readonly line: Line
  /** What `hello` returned. */
  data: T | undefined
  readonly #worker: WorkerLike
  readonly #failure: PoolOptions<T>['ended']
  readonly #common: Handlers
  #handlers: Handlers
  #gone: ((why: string) => void) | undefined
  #isGone = false
  #ended: Promise<unknown> = Promise.resolve()

  constructor(worker: WorkerLike, options: PoolOptions<T>) {
    this.#worker = worker
    this.#failure = options.ended
    this.line = createLine(
      (message, transfer) => worker.postMessage(message, transfer),
      () => this.#handlers,
    )
    this.#common = options.handlers?.(this.line) ?? {}
    this.#handlers = this.#common
    listen(worker, { message: (data) => this.line.receive(data), lost: (cause) => this.#crashed(cause) })
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Sets the task: handlers for its messages, and a listener for the end of the worker. Without arguments, the worker has no task. */
  serve(handlers: Handlers = {}, gone?: (why: string) => void): void {
    this.#handlers = { ...this.#common, ...handlers }
    this.#gone = gone
  }

  /** Sets whether the process stays alive for this worker, which is necessary only while the worker runs a task. */
  hold(held: boolean): void {
    if (held) this.#worker.ref?.()
    else this.#worker.unref?.()
  }

  /** Terminates the worker. Drops its later messages. Resolves when it has ended. */
  end(why: string, cause?: unknown): Promise<unknown> {
    if (this.#isGone) return this.#ended
    this.#isGone = true
    this.line.close(this.#failure(why, cause))
    this.#ended = Promise.resolve(this.#worker.terminate())
    this.#gone?.(why)
    return this.#ended
  }

  #crashed(cause: unknown): void {
    void this.end(isOutOfMemory(cause) ? 'it exceeded its memory limit' : 'its worker ended unexpectedly', cause)
  }
}

/** Workers that run tasks, and at most one idle worker for the next task. */
export class WorkerPool<T = unknown> {
  readonly #options: PoolOptions<T>
  readonly #all = new Set<PooledWorker<T>>()
  /** Workers that have left the pool but have not ended yet. */
  readonly #ending = new Set<Promise<unknown>>()
  #idle: PooledWorker<T> | undefined
  /** A worker being started for the next task. */
  #next: Promise<PooledWorker<T> | undefined> | undefined
  #hasStarted = false
  #closed = false

  constructor(options: PoolOptions<T>) {
    this.#options = options
  }

  /** Whether any worker has started successfully. */
  get hasStarted(): boolean {
    return this.#hasStarted
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Takes a worker for one task: an idle worker, or else a new one. @throws the errors of `closed` and `notStarted` */
  async take(): Promise<PooledWorker<T>> {
    for (;;) {
      const ready = this.#takeIdle() ?? (await this.#warmed())
      this.#checkOpen()
      const worker = ready ?? (await this.#begin())
      this.#checkOpen()
      if (!worker.isGone) {
        worker.hold(true)
        return worker
      }
      this.#leave(worker)
    }
  }

  /** Puts a worker back into the pool after its task. */
  give(worker: PooledWorker<T>): void {
    worker.serve()
    if (worker.isGone) {
      this.#leave(worker)
      this.#warm()
    } else if (this.#closed || this.#idle) this.#leave(worker)
    else {
      worker.hold(false)
      this.#idle = worker
    }
  }

  /** Terminates all workers. Resolves when all have ended. */
  async close(): Promise<void> {
    this.#closed = true
    this.#idle = undefined
    for (const worker of [...this.#all]) this.#leave(worker, this.#options.closing)
    while (this.#ending.size > 0) await Promise.all(this.#ending)
  }

  #checkOpen(): void {
    if (this.#closed) throw this.#options.closed()
  }

  #takeIdle(): PooledWorker<T> | undefined {
    const idle = this.#idle
    this.#idle = undefined
    return idle
  }

  #leave(worker: PooledWorker<T>, why = 'it was ended'): void {
    this.#all.delete(worker)
    const ended = worker.end(why).finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  /** Starts an idle worker for the next task, to replace a terminated worker. Does nothing if a worker is idle or starting. */
  #warm(): void {
    if (this.#closed || this.#next || this.#idle) return
    const starting = this.#begin(false).catch(() => undefined)
    this.#next = starting
    void starting.then((worker) => {
      if (this.#next !== starting) return
      this.#next = undefined
      if (worker) this.give(worker)
    })
  }

  #warmed(): Promise<PooledWorker<T> | undefined> | undefined {
    const next = this.#next
    this.#next = undefined
    // The caller now waits for this worker, so the worker must keep the process alive. All other workers run tasks and do so already.
    if (next) for (const worker of this.#all) worker.hold(true)
    return next
  }

  async #begin(held = true): Promise<PooledWorker<T>> {
    const { worker, prepare, open, notStarted } = this.#options
    await prepare?.()
    let started: PooledWorker<T> | undefined
    try {
      try {
        started = new PooledWorker(worker(), this.#options)
        started.hold(held)
        this.#all.add(started)
        if (this.#closed) this.#leave(started)
        started.data = await this.#hello(started.line)
      } catch (cause) {
        throw notStarted(cause)
      }
      await open?.(started.line)
      this.#hasStarted = true
      return started
    } catch (error) {
      // The worker may still run, so end it.
      if (started) this.#leave(started)
      // If the pool was closed, report this instead of a failed start.
      this.#checkOpen()
      throw error
    }
  }

  async #hello(line: Line): Promise<T> {
    const waiting = new AbortController()
    const helloMs = this.#hasStarted ? HELLO_MS : FIRST_HELLO_MS
    const tooLong = systemHost.sleep(helloMs, waiting.signal).then((): never => {
      throw new Error(`its script did not answer for ${helloMs / 1000} s`)
    })
    tooLong.catch(() => undefined)
    try {
      return await Promise.race([this.#options.hello(line), tooLong])
    } finally {
      waiting.abort()
    }
  }
}
