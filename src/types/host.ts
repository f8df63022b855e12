/** Time, randomness and waiting. Code in `src` uses these only through this interface. `toolport/testing` has a deterministic host. */
export interface Host {
  /** Milliseconds since the epoch. */
  now(): number
  /** A number in [0, 1). */
  random(): number
  /**
   * Resolves after `ms`, or early without an error if the signal aborts. `background`: the wait is only for housekeeping, so it must not
   * keep the process alive. Default false.
   */
  sleep(ms: number, signal?: AbortSignal, options?: { readonly background?: boolean }): Promise<void>
  /** Gives the event loop a turn: waits for a macrotask, without the 4 ms clamp of nested timers. */
  yield(): Promise<void>
}
