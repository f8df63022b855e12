import { JsError } from '../../../src/errors/index.js'
import { systemHost } from '../../../src/host.js'
import { createLine, type Handlers, type Line } from '../../shared/worker/rpc.js'
import { isOutOfMemory, listen, type WorkerLike } from '../../shared/worker/worker-like.js'
import { type EngineSource, engineModule } from '../engine/wasm.js'
import { createStopFlag, type StopFlag } from './stop-flag.js'

/** Milliseconds to wait for the first message. If the URL serves another script, this message never comes. */
const HELLO_MS = 20_000

/** One worker, for one program at a time. */
export interface Runner {
  readonly line: Line
  /** The memory flag that tells the worker to stop. Undefined if only messages can tell the worker. */
  readonly flag: StopFlag | undefined
  /** Handlers for messages of the running program. */
  handlers: Handlers
  /** Called with the reason when the worker has ended. */
  onGone: ((why: string) => void) | undefined
  readonly isGone: boolean
  hold(held: boolean): void
  /** Terminates the worker. */
  end(why: string): unknown
}

/** Workers that run programs, and one idle worker for the next program. */
export interface Pool {
  /** Whether any worker has started successfully. */
  readonly hasStarted: boolean
  readonly isClosed: boolean
  /** @throws {JsError} unavailable */
  take(): Promise<Runner>
  /** Puts a worker back into the pool after its program has ended. */
  give(runner: Runner): void
  close(): Promise<void>
}

export function createPool(worker: () => WorkerLike, wasm: EngineSource | undefined): Pool {
  const all = new Set<Runner>()
  let idle: Runner | undefined
  let starting: Promise<Runner | undefined> | undefined
  let hasStarted = false
  let closed = false
  const checkOpen = (): void => {
    if (closed) throw new JsError('unavailable', 'Cannot run the program: the adapter is closed')
  }
  const start = async (held: boolean): Promise<Runner> => {
    const module = await engineModule(wasm)
    let begun: Runner | undefined
    try {
      const runner = await startRunner(worker, module, (one) => {
        begun = one
        one.hold(held)
        all.add(one)
        if (closed) one.end('the adapter was closed')
      })
      hasStarted = true
      return runner
    } catch (error) {
      // The worker may have reported an error, so end it.
      begun?.end('it could not be started')
      if (begun && !closed) all.delete(begun)
      throw error
    }
  }
  const warm = (): void => {
    if (closed || starting || idle) return
    const next = start(false).catch(() => undefined)
    starting = next
    void next.then((runner) => {
      if (starting !== next) return
      starting = undefined
      if (runner) pool.give(runner)
    })
  }
  const pool: Pool = {
    get hasStarted() {
      return hasStarted
    },
    get isClosed() {
      return closed
    },
    async take() {
      for (;;) {
        const [kept, warmed] = [idle, starting]
        idle = undefined
        if (!kept) starting = undefined
        let runner = kept ?? (await warmed)
        checkOpen()
        // If the adapter was closed, report this instead of a failed start.
        runner ??= await start(true).finally(checkOpen)
        checkOpen()
        if (!runner.isGone) {
          runner.hold(true)
          return runner
        }
        all.delete(runner)
      }
    },
    give(runner) {
      runner.handlers = {}
      runner.onGone = undefined
      if (runner.isGone) {
        all.delete(runner)
        warm()
      } else if (closed || idle) {
        all.delete(runner)
        runner.end('it is needed no more')
      } else {
        runner.hold(false)
        idle = runner
      }
    },
    async close() {
      closed = true
      await Promise.all([...all].map((runner) => runner.end('the adapter was closed')))
      all.clear()
    },
  }
  return pool
}

async function startRunner(worker: () => WorkerLike, module: WebAssembly.Module, keep: (runner: Runner) => void): Promise<Runner> {
  let lost: (cause: unknown) => void = () => undefined
  const waiting = new AbortController()
  try {
    const begun = worker()
    const gone = new Promise<never>((_, reject) => {
      lost = reject
    })
    gone.catch(() => undefined)
    const runner = runnerOf(begun, (cause) => lost(cause))
    keep(runner)
    const late = systemHost.sleep(HELLO_MS, waiting.signal).then(() => {
      if (!waiting.signal.aborted) throw new Error(`its script said nothing for ${HELLO_MS / 1000} s`)
    })
    late.catch(() => runner.end('it could not be started'))
    await Promise.race([runner.line.ask('open', [module, runner.flag]), late, gone])
    return runner
  } catch (cause) {
    const message = 'JavaScript cannot run: its worker does not load. Where your bundler or server does not find its script, pass "worker".'
    throw new JsError('unavailable', message, { cause })
  } finally {
    waiting.abort()
  }
}

function runnerOf(worker: WorkerLike, lost: (cause: unknown) => void): Runner {
  let gone = false
  const line = createLine(
    (message) => worker.postMessage(message, []),
    () => runner.handlers,
  )
  const end = (why: string): unknown => {
    if (gone) return undefined
    gone = true
    line.close(new Error(why))
    const ended = worker.terminate()
    runner.onGone?.(why)
    return ended
  }
  const runner: Runner = {
    line,
    flag: createStopFlag(),
    handlers: {},
    onGone: undefined,
    get isGone() {
      return gone
    },
    hold(held) {
      if (held) worker.ref?.()
      else worker.unref?.()
    },
    end,
  }
  listen(worker, {
    message: (data) => line.receive(data),
    lost(cause) {
      lost(cause)
      end(isOutOfMemory(cause) ? 'it needed more memory than it may have' : 'its worker ended unexpectedly')
    },
  })
  return runner
}
