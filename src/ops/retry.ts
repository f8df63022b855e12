import type { Host } from '../types/host.js'
import type { FetchResponse } from '../types/ports.js'

/** The number of attempts and the delays between them. */
export interface RetryOptions {
  /** Total number of requests, including the first; default 3. */
  readonly attempts?: number
  /** Maximum delay before the second attempt, in milliseconds. This maximum doubles with each attempt. Default 200. */
  readonly baseMs?: number
  /** Upper limit of the doubled maximum, in milliseconds. Default 5000. */
  readonly maxMs?: number
  /** The longest `Retry-After` to wait for, in milliseconds. A longer one ends the attempts. Default 30,000. */
  readonly maxRetryAfterMs?: number
}

export interface RetryScope {
  readonly host: Pick<Host, 'now' | 'random' | 'sleep'>
  readonly signal?: AbortSignal
  /** A time of the host's clock in milliseconds. If a delay would end later, there is no further attempt. */
  readonly until?: number
}

/** Statuses of temporary failures. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/**
 * Sends a request until the answer is final or no attempts are left. Then returns the last answer, or throws the last error. Retries the
 * statuses 408, 429, 500, 502, 503, 504, and connection failures (a `NetworkError` that is `retryable`). Each delay is random between zero
 * and a limit that doubles ("full jitter"), and at least `Retry-After`.
 *
 * Use this function only for requests that may be repeated. Rejects with the signal's reason if the signal aborts during a delay.
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

/** Returns the delay before the next attempt in milliseconds; undefined if there is no next attempt. */
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
  // Compare by name, because another copy of this package has a different class.
  return error instanceof Error && error.name === 'NetworkError' && 'retryable' in error && error.retryable === true
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Returns the delay of a `Retry-After` header in milliseconds from `now` (since the epoch). Accepts seconds or a date; returns undefined
 * for any other text.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
