/** The longest delay of a timer. For a longer delay, Node would call the function at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Whether and why a command must end early: at its timeout, on the caller's signal, or when the shell closes. */
export interface Stop {
  readonly reason: 'timeout' | 'abort' | undefined
  readonly happened: Promise<undefined>
  abort(): void
  /** Call when the command has ended by itself. Later stops are then ignored. */
  dispose(): void
}

/**
 * Watches for a reason to stop a command. Uses a real timer, because processes take real time, while the workspace's clock may be
 * simulated.
 */
export function watchStop(signal: AbortSignal | undefined, timeoutMs: number | undefined): Stop {
  let reason: Stop['reason']
  let over = false
  let tell = (): void => {}
  const happened = new Promise<undefined>((resolve) => {
    tell = () => resolve(undefined)
  })
  const stop = (why: 'timeout' | 'abort'): void => {
    if (over) return
    reason ??= why
    tell()
  }
  const abort = (): void => stop('abort')
  const timer = timeoutMs !== undefined && timeoutMs <= MAX_TIMER_MS ? setTimeout(() => stop('timeout'), timeoutMs) : undefined
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return {
    get reason() {
      return reason
    },
    happened,
    abort,
    dispose() {
      over = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}
