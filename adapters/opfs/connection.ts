import { Fault } from '../shared/fault.js'
import type { Files } from '../shared/first-files.js'
import { afterTime, unanswered } from '../shared/open-timeout.js'
import { type LocksLike, type Release, takeLock } from '../shared/web-lock.js'
import { type Call, isAnswer, type Opening } from './messages.js'

export interface ConnectionOptions {
  readonly name: string
  readonly files: Files
  readonly openTimeoutMs: number
  readonly worker: () => Worker
  /** The locks that ensure a single user. Undefined if the host itself ensures this. */
  readonly locks: LocksLike | undefined
}

interface Pending {
  resolve(value: unknown): void
  reject(cause: Fault): void
}

/** The connection to the worker that has the files open, together with the page's lock. */
export class Connection {
  readonly #pending = new Map<number, Pending>()
  readonly #release: Release | undefined
  readonly #worker: Worker
  readonly #end: () => void
  /** The reason why the connection can no longer be used, or undefined while it can be used. */
  #lost: Fault | undefined
  #last = 0

  /** @throws {Fault} */
  static async open({ name, files, openTimeoutMs, worker, locks }: ConnectionOptions): Promise<Connection> {
    let connection: Connection | undefined
    let stolen = false
    const stop = (): void => {
      stolen = true
      connection?.lose('another page took it over')
    }
    const release = locks && (await takeLock(locks, `toolport-opfs:${name}`, stop))
    try {
      connection = new Connection(startWorker(worker), release)
      if (stolen) stop()
      const lock = locks && pageLocks() ? `toolport-opfs-worker:${name}` : undefined
      await connection.#reach(lock, openTimeoutMs)
      if (lock !== undefined) connection.#watch(lock)
      const opening: Opening = { name, files }
      await connection.call('open', [opening])
      return connection
    } catch (cause) {
      connection?.lose('it could not be opened')
      await release?.()
      throw cause
    }
  }

  private constructor(worker: Worker, release: Release | undefined) {
    this.#worker = worker
    this.#release = release
    this.#end = worker.terminate.bind(worker)
    // Detect a call of `terminate`: the browser reports no event for it, and until the worker holds its lock nothing else shows that it has
    // ended.
    worker.terminate = () => this.lose('its worker was ended')
    worker.onmessage = ({ data }) => this.#settle(data)
    worker.onmessageerror = () => this.lose('the browser lost a message of its worker')
    worker.onerror = ({ message }) => {
      const said = message ? `: ${message}` : ''
      this.lose(`its worker does not run${said}. Where your bundler or server does not find its script, pass "worker"`)
    }
  }

  /** Checks that the worker runs and can access the file system. */
  async #reach(lock: string | undefined, timeoutMs: number): Promise<void> {
    const answered = afterTime(timeoutMs, () => this.lose(unanswered('the origin private file system', timeoutMs)))
    await this.call('reach', [lock]).finally(answered)
  }

  call(method: string, args: readonly unknown[], transfer: Transferable[] = []): Promise<unknown> {
    if (this.#lost) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      const call: Call = { id: ++this.#last, method, args }
      this.#pending.set(call.id, { resolve, reject })
      this.#worker.postMessage(call, transfer)
    })
  }

  #settle(data: unknown): void {
    if (!isAnswer(data)) return
    const pending = this.#pending.get(data.id)
    this.#pending.delete(data.id)
    if (data.fault) pending?.reject(new Fault(data.fault.code, data.fault.detail, data.fault.cause))
    else pending?.resolve(data.value)
  }

  /** Notices when the worker ends, because the browser then frees the worker's lock. */
  #watch(lock: string): void {
    const ended = pageLocks()?.request(lock, () => this.lose('its worker ended'))
    ended?.catch(() => undefined)
  }

  /** Ends the connection: rejects pending calls and all later calls. */
  lose(detail: string): void {
    if (!this.#lost) {
      this.#lost = new Fault('EIO', detail)
      this.#end()
    }
    for (const { reject } of this.#pending.values()) reject(this.#lost)
    this.#pending.clear()
    void this.#release?.()
  }

  /** Call only when no call is pending. */
  async close(): Promise<void> {
    this.lose('the storage is closed')
    await this.#release?.()
  }
}

interface PageLocks {
  request(name: string, hold: () => unknown): Promise<unknown>
}

const pageLocks = (): PageLocks | undefined => (globalThis as { readonly navigator?: { readonly locks?: PageLocks } }).navigator?.locks

function startWorker(worker: () => Worker): Worker {
  try {
    return worker()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Fault('EIO', `its worker cannot be started: ${why}. Pass "worker"`, cause)
  }
}
