import { systemHost } from '../../src/host.js'
import type { ShellOutput, ShellSignal } from '../../src/types/shell.js'
import { type EngineSource, engineModule } from './engine/wasm.js'
import { type Ended, type EndReason, Events, type Job, type Services } from './job.js'
import { execute } from './vm/execute.js'

export interface Running {
  readonly ended: Promise<Ended>
  readonly events: Pick<Events, 'push'>
  /** A signal that it may listen to. */
  signal(signal: ShellSignal): void
  /** It is to end as soon as possible. */
  stop(reason: EndReason): void
}

export interface StartOptions {
  readonly job: Job
  readonly services: Services
  output(output: ShellOutput): void
}

/** Runs a program in this thread: it gives way between promise jobs, and a stretch of its code ends at its time. */
export function startHere(wasm: EngineSource | undefined, { job, services, output }: StartOptions): Running {
  const events = new Events()
  let reason: EndReason | undefined
  const deadline = job.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + job.timeoutMs
  const ended = execute(engineModule(wasm), job, services, {
    stopped: () => (reason ??= performance.now() >= deadline ? 'timeout' : undefined),
    output: (stream, text) => output({ stream, text }),
    yield: () => systemHost.yield(),
    events,
  })
  return {
    ended,
    events,
    signal: (signal) => events.push({ signal }),
    stop(why) {
      reason ??= why
      events.push({ stop: why })
    },
  }
}
