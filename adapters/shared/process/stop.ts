/** Above this, timers of Node fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** What may end a command early, whichever comes first: its time, the caller's signal, or the shell that is closed. */
export interface Stop {
  readonly reason: 'timeout' | 'abort' | undefined
  readonly happened: Promise<undefined>
  abort(): void
  /** It has ended by itself: what comes now is too late. */
  dispose(): void
}

/** Processes take real time: a timer, not the workspace's clock, which may be a simulated one. */
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
