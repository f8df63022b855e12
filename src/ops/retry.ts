import type { Host } from '../types/host.js'
import type { FetchResponse } from '../types/ports.js'

/** How often to try and how long to wait between. */
export interface RetryOptions {
  /** Requests in all, the first one too; default 3. */
  readonly attempts?: number
  /** The longest wait before the second attempt, in milliseconds; it doubles from one attempt to the next. Default 200. */
  readonly baseMs?: number
  /** Where doubling ends; default 5000. */
  readonly maxMs?: number
  /** The longest `Retry-After` that is waited for. A longer one ends the attempts: to come back sooner is what it asks not to. Default 30,000. */
  readonly maxRetryAfterMs?: number
}

export interface RetryScope {
  readonly host: Pick<Host, 'now' | 'random' | 'sleep'>
  readonly signal?: AbortSignal
  /** Host time. A wait that would end later is not begun. */
  readonly until?: number
}

/** Statuses that may be another one the next time. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/**
 * Sends until there is an answer that will not change by asking again, or nothing is left to try: then the last answer, or the last error.
 * Tried again: the statuses 408, 429, 500, 502, 503, 504, and faults of the connection (a `NetworkError` that is `retryable`). The waits
 * are random between nothing and a bound that doubles ("full jitter"), and at least what `Retry-After` says.
 *
 * For requests that may be repeated only. Rejects with the signal's reason when it aborts during a wait.
 */
export async function retryFetch(
  send: (attempt: number) => Promise<FetchResponse>,
  scope: RetryScope,
  options: RetryOptions = {},
): Promise<FetchResponse> {
  const { attempts = 3 } = options
  for (let attempt = 1; ; attempt++) {
    const outcome = await trySend(send, attempt)
    const wait = attempt < attempts ? waitAfter(outcome, attempt, scope, options) : undefined
    if (wait === undefined) {
      if (outcome.response) return outcome.response
      throw outcome.error
    }
    await scope.host.sleep(wait, scope.signal)
    scope.signal?.throwIfAborted()
  }
}

type Outcome = { readonly response: FetchResponse } | { readonly response?: undefined; readonly error: unknown }

async function trySend(send: (attempt: number) => Promise<FetchResponse>, attempt: number): Promise<Outcome> {
  try {
    return { response: await send(attempt) }
  } catch (error) {
    return { error }
  }
}

/** Milliseconds before the next attempt; undefined where there is to be none. */
function waitAfter(outcome: Outcome, attempt: number, { host, signal, until }: RetryScope, options: RetryOptions): number | undefined {
  if (signal?.aborted || !mayPass(outcome)) return undefined
  const { baseMs = 200, maxMs = 5000, maxRetryAfterMs = 30_000 } = options
  const asked = outcome.response ? (retryAfterMs(outcome.response.headers.get('retry-after'), host.now()) ?? 0) : 0
  if (asked > maxRetryAfterMs) return undefined
  const wait = Math.max(asked, host.random() * Math.min(maxMs, baseMs * 2 ** (attempt - 1)))
  return until !== undefined && host.now() + wait >= until ? undefined : wait
}

function mayPass(outcome: Outcome): boolean {
  if (outcome.response) return PASSING.has(outcome.response.status)
  const { error } = outcome
  // By name: another copy of this package has a class of its own.
  return error instanceof Error && error.name === 'NetworkError' && 'retryable' in error && error.retryable === true
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Milliseconds from `now` (since the epoch) that a `Retry-After` header asks for, in seconds or as a date; undefined for anything else. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
