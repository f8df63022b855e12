import type { CallerSignals } from './caller-signals.js'
import type { Deadline, Deadlines } from './deadline-timers.js'

export type StopReason = 'aborted' | 'timeout'

export type Outcome<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: unknown }
  /** The call was stopped, and the work did not end within the grace period. */
  | { readonly kind: 'stopped' }

const { then } = Promise.prototype

/** Thrown to end a call that was stopped before its tool ran. */
export const STOPPED: unique symbol = Symbol('stopped')

/** The parts that the scopes of one runtime's calls share. */
export interface ScopeSources {
  readonly deadlines: Deadlines
  readonly signals: CallerSignals
  /** Grace period of a tool after a stop, in milliseconds. */
  readonly graceMs: number
}

/**
 * Ends one call early: on abort, at its deadline, or when the runtime is disposed. Timers and signals are created on first use, because
 * most calls end sooner, and creating a signal costs more than many calls.
 */
export class CallScope {
  readonly #deadlines: Deadlines
  readonly #signals: CallerSignals
  readonly #graceMs: number
  readonly #caller: AbortSignal | undefined
  readonly #deadlineAt: number
  readonly #onAbort = (): void => this.stop('aborted')
  #armed = false
  #deadline: Deadline | undefined
  #controller: AbortController | undefined
  #stopped: StopReason | undefined
  #closed = false
  #onStop: (() => void) | undefined

  constructor({ deadlines, signals, graceMs }: ScopeSources, deadlineAt: number, caller: AbortSignal | undefined) {
    this.#deadlines = deadlines
    this.#signals = signals
    this.#graceMs = graceMs
    this.#caller = caller
    this.#deadlineAt = deadlineAt
  }

  get stopped(): StopReason | undefined {
    if (!this.#stopped && !this.#closed && this.#caller?.aborted) this.stop('aborted')
    return this.#stopped
  }

  /** Whether the call has ended. Later messages of its tool are dropped. */
  get closed(): boolean {
    return this.#closed
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      this.#arm()
      if (this.#stopped) this.#controller.abort(this.#reason(this.#stopped))
    }
    return this.#controller.signal
  }

  stop(reason: StopReason): void {
    if (this.#stopped || this.#closed) return
    this.#stopped = reason
    this.#onStop?.()
    this.#controller?.abort(this.#reason(reason))
  }

  /** Waits for a tool; after a stop, only for the grace period. Ignores later results and rejections. Never rejects. */
  wait<T>(work: PromiseLike<T>): Promise<Outcome<T>> {
    return this.#race(work, this.#graceMs)
  }

  /** Waits for a step. A stop ends the wait at once. @throws STOPPED, and the error of the step */
  async within<T>(work: T | PromiseLike<T>): Promise<T> {
    const outcome = await this.#race(work, 0)
    if (outcome.kind === 'value') return outcome.value
    throw outcome.kind === 'error' ? outcome.error : STOPPED
  }

  close(): void {
    this.#closed = true
    if (!this.#armed) return
    if (this.#caller) this.#signals.forget(this.#caller, this.#onAbort)
    if (this.#deadline) this.#deadlines.remove(this.#deadline)
  }

  #race<T>(work: T | PromiseLike<T>, graceMs: number): Promise<Outcome<T>> {
    this.#arm()
    return new Promise((resolve) => {
      let grace: Deadline | undefined
      const onStop = (): void => {
        this.#onStop = undefined
        if (graceMs === 0) resolve({ kind: 'stopped' })
        else grace = this.#deadlines.addIn(graceMs, () => resolve({ kind: 'stopped' }))
      }
      const finish = (outcome: Outcome<T>): void => {
        if (this.#onStop === onStop) this.#onStop = undefined
        if (grace) this.#deadlines.remove(grace)
        resolve(outcome)
      }
      this.#onStop = onStop
      // Use the built-in `then`: an overridden one could throw, call back twice or leave a rejection unhandled.
      void then.call(
        Promise.resolve(work),
        (value) => finish({ kind: 'value', value: value as T }),
        (error) => finish({ kind: 'error', error }),
      )
      if (this.#stopped) onStop()
    })
  }

  #arm(): void {
    if (this.#armed || this.#closed) return
    this.#armed = true
    if (this.#caller?.aborted) {
      this.stop('aborted')
      return
    }
    if (this.#caller) this.#signals.watch(this.#caller, this.#onAbort)
    this.#deadline = this.#deadlines.add(this.#deadlineAt, () => this.stop('timeout'))
  }

  #reason(stopped: StopReason): unknown {
    if (stopped === 'aborted' && this.#caller?.aborted) return this.#caller.reason
    const error = new Error(stopped === 'timeout' ? 'The deadline of the call passed' : 'The call was aborted')
    error.name = stopped === 'timeout' ? 'TimeoutError' : 'AbortError'
    return error
  }
}
