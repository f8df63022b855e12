import type { Host } from '../types/host.js'

/** Maximum delay of `setTimeout`, in milliseconds. A timer with a longer delay fires at once. */
const LONGEST_MS = 2 ** 31 - 1

/** Waits for `ms`, at most the longest delay of a timer. Returns when the signal aborts. */
export function pause(host: Host, ms: number, signal: AbortSignal): Promise<void> {
  return host.sleep(Math.min(ms, LONGEST_MS), signal)
}

/** Waits until the work has settled, at most `ms`. Never rejects. */
export async function settledWithin(host: Host, ms: number, work: Promise<unknown>): Promise<void> {
  const settled = new AbortController()
  const stop = (): void => settled.abort()
  work.then(stop, stop)
  await pause(host, ms, settled.signal)
}
