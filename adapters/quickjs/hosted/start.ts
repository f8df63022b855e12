import { systemHost } from '../../../src/host.js'
import type { ModuleGraph } from '../../../src/packages/modules/index.js'
import type { ShellOutput } from '../../../src/types/shell.js'
import type { Changes } from '../../shared/js/changes.js'
import type { Handlers } from '../../shared/worker/rpc.js'
import type { Running, StartOptions } from '../in-thread.js'
import type { Ended, EndReason, OutsideEvent, Services } from '../job.js'
import type { JsPool } from './pool.js'
import { lower, raise } from './stop-flag.js'

/** Milliseconds between a stop and the termination of a worker whose program still runs. After an abort, the caller waits for this. */
const GRACE_MS: Readonly<Record<EndReason, number>> = { timeout: 150, abort: 50 }
/** Milliseconds for a program to receive a signal before it is stopped. */
const SIGNAL_MS = 150

/** Runs a program in a worker. Terminates the worker if the program does not stop in time. @throws {JsError} unavailable */
export async function startHosted(pool: JsPool, { job, services, output }: StartOptions): Promise<Running> {
  const began = performance.now()
  const runner = await pool.take()
  const flag = runner.data
  const waited = performance.now() - began
  const { timeoutMs, ...rest } = job
  const sent = timeoutMs === undefined ? rest : { ...rest, timeoutMs: Math.max(0, timeoutMs - waited) }
  let stopped: EndReason | undefined
  let over = false
  let settle: (ended: Ended) => void = () => undefined
  const result = new Promise<Ended>((resolve) => {
    settle = (end) => {
      over = true
      resolve(end)
    }
  })
  const handlers: Handlers = {
    output: ([pieces]: [readonly ShellOutput[]]) => {
      for (const piece of pieces) output(piece)
    },
    extend: ([specifier, from, graph]: [string, string, ModuleGraph]) => services.extend(specifier, from, graph),
    file: ([question]: [unknown]) => services.file(question),
    flush: ([changes]: [Changes]) => services.flush(changes),
    fetch: (args: Parameters<Services['fetch']>) => services.fetch(...args),
    server: (args: Parameters<Services['server']>) => services.server(...args),
    async invokeTool([call]: [string]) {
      const value = await services.invokeTool(call)
      // Copy bytes, because the message transfers them, and the tool may still use its own.
      return value instanceof Uint8Array ? value.slice() : value
    },
  }
  runner.serve(handlers, (why) => {
    if (stopped) settle({ exitCode: null, stopped })
    else {
      output({ stream: 'stderr', text: `FATAL ERROR: the program was ended: ${why}\n` })
      settle({ exitCode: 134 })
    }
  })
  if (flag) lower(flag)
  runner.line.ask('run', [sent]).then(
    (ended) => settle(ended as Ended),
    (error: unknown) => {
      if (runner.isGone) return
      output({ stream: 'stderr', text: `${error instanceof Error ? error.message : String(error)}\n` })
      settle({ exitCode: 1 })
    },
  )
  const ended = result.then(async (end) => {
    runner.serve(handlers)
    // Free the worker's memory before the next program allocates its own.
    if (end.spent) await runner.end('its engine is spent')
    pool.give(runner)
    return stopped && end.exitCode === null ? { exitCode: null, stopped } : end
  })
  // After the end, the worker may already run another program.
  const tell = (event: OutsideEvent): void => {
    if (!over) runner.line.tell('event', event)
  }
  const enforce = async (reason: EndReason): Promise<void> => {
    if (await hasCome(ended, GRACE_MS[reason])) return
    runner.end('it did not end in time')
  }
  const stop = (reason: EndReason): void => {
    if (stopped || over) return
    stopped = reason
    if (flag) raise(flag, reason)
    tell({ stop: reason })
    void enforce(reason)
  }
  return {
    ended,
    events: { push: tell },
    signal(signal) {
      if (over) return
      const heard = runner.line.ask('event', [{ signal }]).catch(() => undefined)
      // A busy program receives no events, so stop it.
      void hasCome(heard, SIGNAL_MS).then((inTime) => {
        if (!inTime) stop('abort')
      })
    },
    stop,
  }
}

/**
 * Whether `settled` settles within `ms`. Yields once more after the timer, because timers run before messages that arrived while this
 * thread was busy.
 */
const hasCome = (settled: Promise<unknown>, ms: number): Promise<boolean> => {
  const late = systemHost.sleep(ms).then(() => systemHost.yield())
  return Promise.race([settled.then(() => true), late.then(() => false)])
}
