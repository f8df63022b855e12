/** Time, randomness and waiting: the only way `src` reaches them. Deterministic in `toolport/testing`. */
export interface Host {
  /** Milliseconds since the epoch. */
  now(): number
  /** A number in [0, 1). */
  random(): number
  /** Resolves after `ms`, or early, without an error, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Gives the event loop a turn: a macrotask, without the 4 ms clamp of nested timers. */
  yield(): Promise<void>
}
