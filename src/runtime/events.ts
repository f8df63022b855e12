import { notify } from '../ops/notify.js'
import type { RuntimeEvent } from '../types/runtime.js'

export type EventListener = (event: RuntimeEvent) => void

/** Calls listeners in the order of registration. Exceptions and rejections are ignored: an observer must not change a call. */
export class Events {
  readonly #listeners = new Set<EventListener>()

  /** Whether there are listeners. If not, callers need not create events. */
  get wanted(): boolean {
    return this.#listeners.size > 0
  }

  /** Adds a listener. The returned function removes it. */
  on(listener: EventListener): () => void {
    // A separate function, so that registering the same listener twice counts as two registrations.
    const registered: EventListener = (event) => listener(event)
    this.#listeners.add(registered)
    return () => {
      this.#listeners.delete(registered)
    }
  }

  emit(event: RuntimeEvent): void {
    for (const listener of [...this.#listeners]) notify(listener, event)
  }
}
