import type { Steps } from '../ops/steps.js'
import type { Host } from '../types/host.js'

const SLICE_MS = 8
/** Work on runtimes that freeze the clock while code runs is sliced by count alone. */
const SLICE_STEPS = 20_000

/** What a step of long work takes in microseconds, about. */
const STEP_COST = 2000

/** Runs long work a slice at a time; rejects with the signal's reason when the call is aborted in between. */
export async function inSlices<T>(steps: Steps<T>, slicer: Slicer): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (slicer.due(STEP_COST)) await slicer.pause()
  }
}

/**
 * Lets long work give way to the event loop every 8 ms: promises that are always ready never do by themselves, and then no timer, and so
 * no abort, gets through.
 */
export class Slicer {
  readonly #host: Pick<Host, 'now' | 'yield'>
  readonly #call: { readonly signal?: AbortSignal | undefined } | undefined
  #since: number
  #steps = 0

  /** `call` is asked for its signal when there is a pause: the context of a tool makes it then, which costs more than a short call. */
  constructor(host: Pick<Host, 'now' | 'yield'>, call?: { readonly signal?: AbortSignal | undefined }) {
    this.#host = host
    this.#call = call
    this.#since = host.now()
  }

  /** Whether it is time to `pause()`; `steps` is about how many microseconds of work were done since the last question. */
  due(steps = 1): boolean {
    this.#steps += steps
    return this.#steps >= SLICE_STEPS || this.#host.now() - this.#since >= SLICE_MS
  }

  /** Gives way, then rejects with the signal's reason when it has aborted. */
  async pause(): Promise<void> {
    await this.#host.yield()
    this.#since = this.#host.now()
    this.#steps = 0
    this.#call?.signal?.throwIfAborted()
  }
}
