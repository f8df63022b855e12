import { untilAborted } from '../../../ops/concurrency.js'
import type { EvaluationResult } from './types.js'

/** The reason why a case ended before its agent or its score had finished. */
export class Stopped extends Error {
  readonly status: EvaluationResult['status']

  constructor(status: EvaluationResult['status'], message: string) {
    super(message)
    this.status = status
  }
}

/** Ends one case early. Only the first reason counts. */
export class Stop {
  readonly #controller = new AbortController()
  readonly #done = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #onAbort = (): void => void this.because(new Stopped('aborted', 'The evaluation was aborted'))

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller
    if (caller?.aborted) this.#onAbort()
    else caller?.addEventListener('abort', this.#onAbort)
  }

  /** Aborts when the case has to stop. The agent and the score get this signal. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Aborts when the case has ended. */
  get done(): AbortSignal {
    return this.#done.signal
  }

  /** Why the case ended early; undefined if it did not. */
  get reason(): Stopped | undefined {
    return this.signal.aborted ? (this.signal.reason as Stopped) : undefined
  }

  because(reason: Stopped): Stopped {
    this.#controller.abort(reason)
    return reason
  }

  /** Settles like the promise of `work`, or rejects early with the reason to stop. Does not wait for work that ignores the signal. */
  async race<T>(work: () => T | PromiseLike<T>): Promise<T> {
    this.signal.throwIfAborted()
    return untilAborted(Promise.resolve().then(work), this.signal)
  }

  /** Ends the case: later aborts of the caller have no effect. */
  end(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort)
    this.#done.abort()
  }
}
