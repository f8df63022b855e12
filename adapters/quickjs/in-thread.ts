import { systemHost } from '../../src/host.js'
import type { ShellOutput, ShellSignal } from '../../src/types/shell.js'
import { type EngineSource, engineModule } from './engine/wasm.js'
import { type Ended, type EndReason, Events, type Job, type Services } from './job.js'
import type { ProgramTurns } from './options.js'
import { execute } from './vm/execute.js'

export interface Running {
  readonly ended: Promise<Ended>
  readonly events: Pick<Events, 'push'>
  /** Sends a signal that the program may listen to. */
  signal(signal: ShellSignal): void
  /** Ends the program as soon as possible. */
  stop(reason: EndReason): void
}

export interface StartOptions {
  readonly job: Job
  readonly services: Services
  /** Scheduler for programs that run in this thread. */
  readonly turns?: ProgramTurns | undefined
  output(output: ShellOutput): void
}

/** Runs a program in this thread. The program yields between promise jobs. Code that runs past the deadline is stopped. */
export function startHere(wasm: EngineSource | undefined, { job, services, turns, output }: StartOptions): Running {
  const events = turns ? new WatchedEvents(turns) : new Events()
  let reason: EndReason | undefined
  const deadline = job.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + job.timeoutMs
  const endedByTurns = (passed: number): EndReason | undefined => {
    const why = turns?.end(passed)
    if (why === undefined) return undefined
    output({ stream: 'stderr', text: `${why}\n` })
    return 'timeout'
  }
  const run = (): Promise<Ended> =>
    execute(engineModule(wasm), job, services, {
      stopped: (passed) => (reason ??= performance.now() >= deadline ? 'timeout' : endedByTurns(passed)),
      output: (stream, text) => output({ stream, text }),
      yield: () => turns?.take(isOver) ?? systemHost.yield(),
      events,
    })
  const isOver = (): boolean => reason !== undefined || performance.now() >= deadline
  const runInTurn = async (given: ProgramTurns): Promise<Ended> => {
    await given.take(isOver)
    try {
      return isOver() ? { exitCode: null, stopped: reason ?? 'timeout' } : await run()
    } finally {
      given.leave()
    }
  }
  return {
    ended: turns ? runInTurn(turns) : run(),
    events,
    signal: (signal) => events.push({ signal }),
    stop(why) {
      reason ??= why
      events.push({ stop: why })
    },
  }
}

/** Events that tell the scheduler when the program waits, because a waiting program gives up its turn. */
class WatchedEvents extends Events {
  readonly #turns: ProgramTurns

  constructor(turns: ProgramTurns) {
    super()
    this.#turns = turns
  }

  override onPush(wake: (() => void) | undefined): void {
    if (wake) this.#turns.leave()
    super.onPush(wake)
  }
}
