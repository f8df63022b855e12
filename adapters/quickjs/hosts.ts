import { hasWorkers, type WorkerLike } from '../shared/worker/worker-like.js'
import { createPool } from './hosted/pool.js'
import { startHosted } from './hosted/start.js'
import { type Running, type StartOptions, startHere } from './in-thread.js'
import type { QuickJsOptions } from './options.js'

/** Where programs run. */
export interface Hosts {
  readonly hardKill: boolean
  open(): Promise<void>
  /** @throws {JsError} unavailable */
  start(options: StartOptions): Promise<Running>
  close(): Promise<void>
}

export function createHosts({ worker = 'auto', wasm }: QuickJsOptions): Hosts {
  const here: Hosts = {
    hardKill: false,
    open: async () => undefined,
    start: async (options) => startHere(wasm, options),
    close: async () => undefined,
  }
  if (worker === false || (worker === 'auto' && !hasWorkers())) return here
  const pool = createPool(typeof worker === 'function' ? worker : startOwnWorker, wasm)
  let failed = false
  const hosted: Hosts = {
    hardKill: true,
    async open() {
      pool.give(await pool.take())
    },
    start: async (options) => startHosted(pool, options),
    close: () => pool.close(),
  }
  if (worker !== 'auto') return hosted
  // A server that does not hand out the script: programs run here then.
  const tried = async <T>(there: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    if (failed) return instead()
    try {
      return await there()
    } catch (error) {
      if (pool.hasStarted || pool.isClosed) throw error
      failed = true
      return instead()
    }
  }
  return {
    get hardKill() {
      return !failed
    },
    open: () => tried(hosted.open, here.open),
    start: (options) =>
      tried(
        () => hosted.start(options),
        () => here.start(options),
      ),
    close: hosted.close,
  }
}

// In these words bundlers find it.
const startOwnWorker = (): WorkerLike => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
