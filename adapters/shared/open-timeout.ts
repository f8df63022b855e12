/**
 * The longest delay of a timer (https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html). With a longer timeout, the wait never
 * ends.
 */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Default milliseconds for a browser to open a storage. A cold start on a slow disk takes seconds. A browser that hangs answers only after
 * the next reload.
 */
const DEFAULT_TIMEOUT_MS = 15_000

/** @throws TypeError for an invalid timeout */
export function checkOpenTimeout(timeoutMs: number = DEFAULT_TIMEOUT_MS): number {
  if (typeof timeoutMs === 'number' && timeoutMs > 0) return timeoutMs
  throw new TypeError(`Cannot make a storage: "openTimeoutMs" is ${String(timeoutMs)}, and must be above 0 (Infinity waits for ever)`)
}

/** Calls `act` after `ms` milliseconds, unless the returned function is called first. */
export function afterTime(ms: number, act: () => void): () => void {
  if (ms > MAX_TIMER_MS) return () => undefined
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

export const unanswered = (what: string, timeoutMs: number): string =>
  `${what} of this browser gave no answer for ${timeoutMs / 1000} s ("openTimeoutMs"): try again, close the other tabs of this site, or restart the browser`
