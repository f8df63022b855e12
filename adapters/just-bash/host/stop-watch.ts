import type { Host } from '../../../src/types/host.js'

export type StopReason = 'timeout' | 'abort' | 'close'

/** The longest delay of a timer. For a longer delay, the timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Stops a command on its signal or at its time limit. */
export class StopWatch {
  readonly #controller = new AbortController()
  readonly #ended = new AbortController()
  #limit: AbortController | undefined
  readonly #given: AbortSignal | undefined
  #reason: StopReason | undefined

  constructor(given: AbortSignal | undefined) {
    this.#given = given
    if (given?.aborted) this.stop('abort')
    else given?.addEventListener('abort', this.#abort, { once: true })
  }

  get reason(): StopReason | undefined {
    return this.#reason
  }

  /** Aborts when the command must end. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Resolves when the command must end. */
  stopped(): Promise<undefined> {
    return new Promise((resolve) => {
      if (this.signal.aborted) resolve(undefined)
      else this.signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
  }

  /** Replaces the time limit. The new limit counts from now. NaN means no timeout. With a negative limit, the command ends at once. */
  limit(host: Pick<Host, 'sleep'>, timeoutMs: number | undefined): void {
    this.#limit?.abort()
    if (timeoutMs === undefined || Number.isNaN(timeoutMs) || timeoutMs > MAX_TIMER_MS || this.#ended.signal.aborted) return
    const limit = new AbortController()
    this.#limit = limit
    const { signal } = limit
    void host.sleep(Math.max(0, timeoutMs), signal).then(() => {
      if (!signal.aborted) this.stop('timeout')
    })
  }

  stop(reason: StopReason): void {
    if (this.#reason !== undefined || this.#ended.signal.aborted) return
    this.#reason = reason
    this.#controller.abort()
  }

  /** Call when the command has ended. */
  end(): void {
    this.#ended.abort()
    this.#limit?.abort()
    this.#given?.removeEventListener('abort', this.#abort)
  }

  readonly #abort = (): void => this.stop('abort')
}
