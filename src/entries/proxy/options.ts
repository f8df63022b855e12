import type { FetchOptions } from '../../../adapters/fetch/index.js'
import type { Host } from '../../types/host.js'

/** A search service, and the key for it. */
export interface Upstream {
  /** Its address; docs/web-search.md has those of the services. */
  readonly url: string
  readonly key: string
}

export interface ProxyRate {
  /** From 1. */
  readonly requests: number
  readonly perMs: number
}

export interface ProxyCacheOptions {
  /** Default 24 hours. */
  readonly ttlMs?: number
  /** Default 1000. */
  readonly entries?: number
  /** Bytes of all answers together; default 16 MiB. */
  readonly bytes?: number
}

export interface ProxyOptions {
  /** `POST /proxy/cse`: Google's custom search. `engine` is the id of the search engine (`cx`). */
  readonly google?: Upstream & { readonly engine: string }
  /** `POST /proxy/serper`. */
  readonly serper?: Upstream
  /** `POST /proxy/exa`. */
  readonly exa?: Upstream
  /** Origins of the pages that may ask. Default none: then no page may, while programs, which send no `Origin`, may. */
  readonly origins?: readonly string[]
  /** What a caller must send as `Authorization: Bearer <token>`; default nothing. Give one wherever strangers reach the proxy. */
  readonly token?: string
  /**
   * Whose rate a request counts to: an address, say. In a Worker `(request) => request.headers.get('cf-connecting-ip') ?? ''`; take no
   * header that callers can choose. Default: all share one rate.
   */
  readonly client?: (request: Request) => string
  /** Searches of one client; default 60 a minute. They may come at once, and come back evenly. */
  readonly rate?: ProxyRate
  /** Answers kept in the memory of this proxy; `false`: none. */
  readonly cache?: ProxyCacheOptions | false
  /** Bytes of a request; default 16 KiB. */
  readonly maxBodyBytes?: number
  /** Milliseconds for a search service to answer in full; default 10,000. */
  readonly timeoutMs?: number
  /** For the search services; default the global one. */
  readonly fetch?: FetchOptions['fetch']
  /** Default the system's. */
  readonly host?: Pick<Host, 'now' | 'sleep'>
}

/** @throws {TypeError} for a number that cannot be meant: a limit that is NaN or negative would be no limit */
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
