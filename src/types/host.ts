/** Time, randomness and waiting: the only way `src` reaches them. Deterministic in `toolport/testing`. */
export interface Host {
  /** Milliseconds since the epoch. */
  now(): number
  /** A number in [0, 1). */
  random(): number
  /**
   * Resolves after `ms`, or early, without an error, when the signal aborts. `background`: what waits only to look after things, which
   * nothing has to stay alive for.
   */
  sleep(ms: number, signal?: AbortSignal, options?: { readonly background?: boolean }): Promise<void>
  /** Gives the event loop a turn: a macrotask, without the 4 ms clamp of nested timers. */
  yield(): Promise<void>
}
