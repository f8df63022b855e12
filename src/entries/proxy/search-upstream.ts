import type { NetworkError } from '../../errors/index.js'
import { retryAfterMs } from '../../ops/retry.js'
import { redacted } from '../../tools/web/secrets.js'
import type { FetchAdapter, FetchResponse } from '../../types/ports.js'
import { ProxyError, seconds } from './answers.js'
import type { UpstreamSearch, UpstreamService } from './upstreams/upstream.js'

export interface SearchUpstreamOptions {
  readonly fetch: FetchAdapter
  readonly now: () => number
  readonly signal: AbortSignal
}

/**
 * The answer of a search service, as the JSON that the proxy gives. What the service says of its own errors is not passed on: it may
 * quote the key.
 * @throws {ProxyError}
 */
export async function searchUpstream(
  service: UpstreamService,
  search: UpstreamSearch,
  { fetch, now, signal }: SearchUpstreamOptions,
): Promise<string> {
  const response = await send(fetch, { ...search.request, signal })
  if (!response.ok) throw statusError(response, now())
  const answer = await response.json().catch(() => undefined)
  const reply = search.shape(redacted(answer, service.secrets))
  if (reply === undefined) throw new ProxyError('upstream_failed', 'The search service did not answer with results')
  // Again: what is left out of a text may have stood between two halves.
  return JSON.stringify(redacted(reply, service.secrets))
}

async function send(fetch: FetchAdapter, request: UpstreamSearch['request']): Promise<FetchResponse> {
  try {
    return await fetch.fetch(request)
  } catch (error) {
    const { cause } = error as Partial<NetworkError>
    if (cause instanceof Error && cause.name === 'TimeoutError') {
      throw new ProxyError('upstream_timeout', 'The search service did not answer in time')
    }
    throw new ProxyError('upstream_failed', 'The search service could not be asked')
  }
}

function statusError({ status, headers }: FetchResponse, now: number): ProxyError {
  if (status !== 429 && status !== 503) return new ProxyError('upstream_failed', `The search service answered with status ${status}`)
  const wait = retryAfterMs(headers.get('retry-after'), now)
  return new ProxyError(
    'upstream_busy',
    'The search service takes no more for now',
    wait === undefined ? {} : { 'retry-after': seconds(wait) },
  )
}
