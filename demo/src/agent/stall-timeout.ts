import { StalledError } from './failures.js'

/** Aborts a stream that sends no data for too long. */
export interface StallTimeout {
  /** Aborts when the user aborts and when the model stalls. */
  readonly signal: AbortSignal
  /** Resets the timeout: data has arrived. */
  seen(): void
  readonly stalled: StalledError | undefined
  end(): void
}

/**
 * Starts the timeout of a stream.
 *
 * @param signal also aborts the stream
 * @param patience seconds without data before the abort
 */
export function createStallTimeout(signal: AbortSignal, patience: number): StallTimeout {
  const controller = new AbortController()
  let stalled: StalledError | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const onAbort = (): void => controller.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  function seen(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      stalled = new StalledError(patience)
      controller.abort(stalled)
    }, patience * 1000)
  }
  seen()
  return {
    signal: controller.signal,
    seen,
    get stalled() {
      return stalled
    },
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      // Cancels the rest of the stream.
      controller.abort()
    },
  }
}
