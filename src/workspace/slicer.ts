import type { Steps } from '../ops/steps.js'
import type { Host } from '../types/host.js'

const SLICE_MS = 8
/** Maximum estimated cost of a slice, for runtimes that freeze the clock while code runs. */
const SLICE_STEPS = 20_000

/** Estimated cost of a step of long work, in microseconds. */
const STEP_COST = 2000

/** Runs long work in slices. Rejects with the signal's reason if the call is aborted in between. */
export async function inSlices<T>(steps: Steps<T>, slicer: Slicer): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (slicer.due(STEP_COST)) await slicer.pause()
  }
}

/**
 * Lets long work yield to the event loop every 8 ms. Awaiting promises that are already resolved never yields to the event loop, and then
 * no timer and no abort takes effect.
 */
export class Slicer {
  readonly #host: Pick<Host, 'now' | 'yield'>
  readonly #call: { readonly signal?: AbortSignal | undefined } | undefined
  #since: number
  #steps = 0

  /** Reads the signal of `call` only when it pauses: a context creates its signal on first use, which costs more than a short call. */
  constructor(host: Pick<Host, 'now' | 'yield'>, call?: { readonly signal?: AbortSignal | undefined }) {
    this.#host = host
    this.#call = call
    this.#since = host.now()
  }

  /** Whether it is time to `pause()`; `steps` estimates the work since the last question, in microseconds. */
  due(steps = 1): boolean {
    this.#steps += steps
    return this.#steps >= SLICE_STEPS || this.#host.now() - this.#since >= SLICE_MS
  }

  /** Yields to the event loop, then rejects with the signal's reason if it has aborted. */
  async pause(): Promise<void> {
    await this.#host.yield()
    this.#since = this.#host.now()
    this.#steps = 0
    this.#call?.signal?.throwIfAborted()
  }
}
