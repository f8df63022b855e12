import type { RuntimeEvent } from '../types/runtime.js'

export type EventListener = (event: RuntimeEvent) => void

/** Calls listeners in the order of registration. Exceptions and rejections are ignored: an observer must not change a call. */
export class Events {
  readonly #listeners = new Set<EventListener>()

  /** False: no listener, so events need not be created. */
  get wanted(): boolean {
    return this.#listeners.size > 0
  }

  /** The returned function removes this registration. */
  on(listener: EventListener): () => void {
    // A separate function, so that registering the same listener twice counts as two registrations.
    const registered: EventListener = (event) => listener(event)
    this.#listeners.add(registered)
    return () => {
      this.#listeners.delete(registered)
    }
  }

  emit(event: RuntimeEvent): void {
    for (const listener of [...this.#listeners]) tell(listener, event)
  }
}

/** Calls a listener and ignores its exceptions and rejections. */
export function tell<T>(listener: (value: T) => void, value: T): void {
  try {
    const answer: unknown = listener(value)
    if (typeof answer === 'object' && answer !== null && 'then' in answer) void swallow(answer)
  } catch {
    // An exception of an observer does not fail the call.
  }
}

async function swallow(answer: unknown): Promise<void> {
  try {
    await answer
  } catch {
    // As above.
  }
}
