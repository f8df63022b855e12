import { systemHost } from '../../../src/host.js'
import type { ModuleGraph } from '../../../src/packages/modules/index.js'
import type { ShellOutput } from '../../../src/types/shell.js'
import type { Changes } from '../../shared/js/changes.js'
import type { Running, StartOptions } from '../in-thread.js'
import type { Ended, EndReason, OutsideEvent, Services } from '../job.js'
import type { Pool } from './pool.js'

/** From the stop until a worker that has not ended is ended. */
const GRACE_MS = 150

/** Runs a program in a worker. One that does not end within 150 ms of its stop is ended with it. @throws {JsError} unavailable */
export async function startHosted(pool: Pool, { job, services, output }: StartOptions): Promise<Running> {
  const began = performance.now()
  const runner = await pool.take()
  const waited = performance.now() - began
  const { timeoutMs, ...rest } = job
  const sent = timeoutMs === undefined ? rest : { ...rest, timeoutMs: Math.max(0, timeoutMs - waited) }
  let stopped: EndReason | undefined
  let settle: (ended: Ended) => void = () => undefined
  const result = new Promise<Ended>((resolve) => {
    settle = resolve
  })
  runner.handlers = {
    output: ([pieces]: [readonly ShellOutput[]]) => {
      for (const piece of pieces) output(piece)
    },
    extend: ([specifier, from, graph]: [string, string, ModuleGraph]) => services.extend(specifier, from, graph),
    file: ([question]: [unknown]) => services.file(question),
    flush: ([changes]: [Changes]) => services.flush(changes),
    fetch: (args: Parameters<Services['fetch']>) => services.fetch(...args),
    invokeTool: ([call]: [string]) => services.invokeTool(call),
  }
  runner.onGone = (why) => {
    if (stopped) settle({ exitCode: null, stopped })
    else {
      output({ stream: 'stderr', text: `FATAL ERROR: the program was ended: ${why}\n` })
      settle({ exitCode: 134 })
    }
  }
  runner.line.ask('run', [sent]).then(
    (ended) => settle(ended as Ended),
    (error: unknown) => {
      if (runner.isGone) return
      output({ stream: 'stderr', text: `${error instanceof Error ? error.message : String(error)}\n` })
      settle({ exitCode: 1 })
    },
  )
  const ended = result.then(async (end) => {
    runner.onGone = undefined
    // Its memory is gone before the next program takes its own.
    if (end.spent) await runner.end('its engine is spent')
    pool.give(runner)
    return stopped && end.exitCode === null ? { exitCode: null, stopped } : end
  })
  const tell = (event: OutsideEvent): void => runner.line.tell('event', event)
  const enforce = async (): Promise<void> => {
    const finished = await Promise.race([ended, systemHost.sleep(GRACE_MS)])
    if (!finished) runner.end('it did not end in time')
  }
  return {
    ended,
    events: { push: tell },
    signal(signal) {
      const heard = runner.line.ask('event', [{ signal }]).then(
        () => true,
        () => true,
      )
      // One that is busy hears of nothing.
      void Promise.race([heard, systemHost.sleep(GRACE_MS).then(() => false)]).then((inTime) => {
        if (inTime) return
        stopped ??= 'abort'
        runner.end('it was killed')
      })
    },
    stop(reason) {
      if (stopped) return
      stopped = reason
      tell({ stop: reason })
      void enforce()
    },
  }
}
