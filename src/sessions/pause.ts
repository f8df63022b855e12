import type { Host } from '../types/host.js'

/** Timers cannot wait longer: they would ring at once. */
const LONGEST_MS = 2 ** 31 - 1

/** Waits for `ms`, or as long as a timer can; not at all when the signal has aborted. */
export function pause(host: Host, ms: number, signal: AbortSignal): Promise<void> {
  return host.sleep(Math.min(ms, LONGEST_MS), signal)
}

/** Waits until the work is settled, and no longer than `ms`. Never rejects. */
export async function settledWithin(host: Host, ms: number, work: Promise<unknown>): Promise<void> {
  const settled = new AbortController()
  const stop = (): void => settled.abort()
  work.then(stop, stop)
  await pause(host, ms, settled.signal)
}
