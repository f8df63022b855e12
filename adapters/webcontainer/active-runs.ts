import type { ShellProcess } from '../../src/types/shell.js'
import { type Stop, watchStop } from '../shared/process/stop.js'

interface Limits {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/** The active runs of an adapter. `close` stops them and waits until all have ended. */
export interface UnderWay {
  readonly closed: boolean
  run<T>(limits: Limits, work: (stop: Stop) => Promise<T>): Promise<T>
  /**
   * Rejects with the error of `endedBefore` if the run is stopped before the process has started. A process that still starts after that is
   * killed.
   */
  spawn(limits: Pick<Limits, 'signal'>, start: (stop: Stop) => Promise<ShellProcess>, endedBefore: () => Error): Promise<ShellProcess>
  close(): Promise<void>
}

export function createUnderWay(): UnderWay {
  const stops = new Set<Stop>()
  const pending = new Set<Promise<unknown>>()
  let closed = false

  async function watched<T>(stop: Stop, work: Promise<T>): Promise<T> {
    stops.add(stop)
    pending.add(work)
    try {
      return await work
    } finally {
      stop.dispose()
      stops.delete(stop)
      pending.delete(work)
    }
  }

  return {
    get closed() {
      return closed
    },
    run({ signal, timeoutMs }, work) {
      const stop = watchStop(signal, timeoutMs)
      return watched(stop, work(stop))
    },
    async spawn({ signal }, start, endedBefore) {
      const starting = watchStop(signal, undefined)
      const process = await watched(starting, started(starting, start(starting), endedBefore))
      const stop = watchStop(signal, undefined)
      void stop.happened.then(() => process.kill('SIGKILL'))
      void watched(stop, process.exited)
      if (closed) stop.abort()
      return process
    },
    async close() {
      closed = true
      for (const stop of stops) stop.abort()
      await Promise.allSettled(pending)
    },
  }
}

async function started(stop: Stop, starting: Promise<ShellProcess>, endedBefore: () => Error): Promise<ShellProcess> {
  const process = await Promise.race([starting, stop.happened])
  if (process) return process
  starting.then((late) => late.kill('SIGKILL')).catch(() => undefined)
  throw endedBefore()
}
