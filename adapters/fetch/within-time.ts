import { NetworkError } from '../../src/errors/index.js'
import type { Host } from '../../src/types/host.js'

export interface TimeOptions {
  readonly host: Pick<Host, 'sleep'>
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * The result of `work`, or, whether it heeds the signal it gets or not, the reason of the caller's signal or a `NetworkError` with a cause
 * named `TimeoutError`, as soon as one of these comes.
 */
export function withinTime<T>(work: (signal: AbortSignal) => Promise<T>, { host, timeoutMs, signal }: TimeOptions): Promise<T> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  const stop = new AbortController()
  const ended = new AbortController()
  const onAbort = (): void => stop.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  void host.sleep(timeoutMs, ended.signal).then(() => {
    if (!ended.signal.aborted) stop.abort(timeoutError(timeoutMs))
  })
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason))
  })
  return Promise.race([work(stop.signal), stopped]).finally(() => {
    signal?.removeEventListener('abort', onAbort)
    ended.abort()
  })
}

function timeoutError(timeoutMs: number): NetworkError {
  const message = `Cannot fetch: no complete answer within ${timeoutMs} ms`
  const cause = Object.assign(new Error(message), { name: 'TimeoutError' })
  return new NetworkError('network', message, { retryable: true, cause })
}
