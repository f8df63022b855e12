import type { RuntimeEvent } from '../types/runtime.js'

export type EventListener = (event: RuntimeEvent) => void

/** Tells listeners in the order they came. What one throws, or rejects with, is ignored: an observer must not change a call. */
export class Events {
  readonly #listeners = new Set<EventListener>()

  /** False: making an event would be for nobody. */
  get wanted(): boolean {
    return this.#listeners.size > 0
  }

  /** The returned function takes this registration back. */
  on(listener: EventListener): () => void {
    // Its own function: the same listener twice is two registrations.
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

/** Calls what the caller gave and swallows what comes of it, an async function's rejection too. */
export function tell<T>(listener: (value: T) => void, value: T): void {
  try {
    const answer: unknown = listener(value)
    if (typeof answer === 'object' && answer !== null && 'then' in answer) void swallow(answer)
  } catch {
    // An observer's mistake is not the call's.
  }
}

async function swallow(answer: unknown): Promise<void> {
  try {
    await answer
  } catch {
    // As above.
  }
}
