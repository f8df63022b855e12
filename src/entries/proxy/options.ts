import type { FetchOptions } from '../../../adapters/fetch/index.js'
import type { Host } from '../../types/host.js'

/** A search service and its API key. */
export interface Upstream {
  /** The URL of the service; docs/web-search.md lists them. */
  readonly url: string
  readonly key: string
}

/** A rate limit. */
export interface ProxyRate {
  /** Maximum number of requests in `perMs` milliseconds; at least 1. */
  readonly requests: number
  readonly perMs: number
}

/** Limits of the proxy's cache. */
export interface ProxyCacheOptions {
  /** Lifetime of an answer in milliseconds; default 24 hours. */
  readonly ttlMs?: number
  /** Maximum number of answers; default 1000. */
  readonly entries?: number
  /** Maximum bytes of all answers together; default 16 MiB. */
  readonly bytes?: number
}

/** The search services of the proxy, and its limits. */
export interface ProxyOptions {
  /** `POST /proxy/cse`: Google Custom Search. `engine` is the id of the search engine (`cx`). */
  readonly google?: Upstream & { readonly engine: string }
  /** `POST /proxy/serper`. */
  readonly serper?: Upstream
  /** `POST /proxy/exa`. */
  readonly exa?: Upstream
  /** Allowed origins of web pages. Default none: rejects pages, and accepts programs, which send no `Origin`. */
  readonly origins?: readonly string[]
  /** The token that callers must send as `Authorization: Bearer <token>`; default none. Set one if the proxy is reachable by strangers. */
  readonly token?: string
  /**
   * Returns an id of the client for the rate limit, such as an IP address. In a Worker: `(request) =>
   * request.headers.get('cf-connecting-ip') ?? ''`. Do not use headers that callers can choose. Default: all clients share one limit.
   */
  readonly client?: (request: Request) => string
  /** Maximum rate per client; default 60 searches per minute. Allows bursts up to `requests`, and refills evenly. */
  readonly rate?: ProxyRate
  /** The in-memory cache of answers; `false` turns it off. */
  readonly cache?: ProxyCacheOptions | false
  /** Maximum bytes of a request body; default 16 KiB. */
  readonly maxBodyBytes?: number
  /** Maximum milliseconds until the complete answer of a search service has arrived; default 10,000. */
  readonly timeoutMs?: number
  /** Sends requests to the search services; default the global `fetch`. */
  readonly fetch?: FetchOptions['fetch']
  /** Clock and timers; default the system's. */
  readonly host?: Pick<Host, 'now' | 'sleep'>
}

/** @throws {TypeError} for an invalid number: a limit that is NaN or negative would not limit anything */
export function checkNumbers({ rate, cache, maxBodyBytes, timeoutMs }: ProxyOptions): void {
  if (rate && (!(rate.requests >= 1 && rate.requests < Infinity) || !(rate.perMs > 0 && rate.perMs < Infinity)))
    throw new TypeError('Cannot limit the rate: expected at least one request in some time')
  const positive = { maxBodyBytes, timeoutMs, ...(cache && { 'cache.ttlMs': cache.ttlMs }) }
  for (const [name, value] of Object.entries(positive)) checkNumber(name, value, 1)
  if (cache)
    for (const [name, value] of Object.entries({ entries: cache.entries, bytes: cache.bytes })) checkNumber(`cache.${name}`, value, 0)
}

function checkNumber(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (value >= least && value < Infinity)) return
  throw new TypeError(`Cannot use "${name}": expected a number from ${least} up`)
}
