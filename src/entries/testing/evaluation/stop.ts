import type { EvaluationResult } from './types.js'

/** Why a case ended before its agent and its score did. */
export class Stopped extends Error {
  readonly status: EvaluationResult['status']

  constructor(status: EvaluationResult['status'], message: string) {
    super(message)
    this.status = status
  }
}

/** Ends the work of one case early. The first reason counts. */
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

  /** For the work. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Aborts when the case has ended. */
  get done(): AbortSignal {
    return this.#done.signal
  }

  /** Undefined unless the case was ended early. */
  get reason(): Stopped | undefined {
    return this.signal.aborted ? (this.signal.reason as Stopped) : undefined
  }

  because(reason: Stopped): Stopped {
    this.#controller.abort(reason)
    return reason
  }

  /** Settles as the work does, or rejects with the reason of an earlier end. Work that goes on regardless is left to itself. */
  async race<T>(work: () => T | PromiseLike<T>): Promise<T> {
    this.signal.throwIfAborted()
    return new Promise<T>((resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.reason), { once: true })
      Promise.resolve().then(work).then(resolve, reject)
    })
  }

  /** The case has ended: nothing ends it early any more. */
  end(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort)
    this.#done.abort()
  }
}
