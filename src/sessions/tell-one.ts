/** Calls a listener. What it throws is its own affair: the session and the other listeners go on. */
export function tellOne<Args extends readonly unknown[]>(listener: (...args: Args) => void, ...args: Args): void {
  try {
    listener(...args)
  } catch {
    // Nobody here could do anything about it.
  }
}
