import type { RetryOptions } from '../../ops/retry.js'
import { SEARCH_PATHS, type SearchProviderName } from './providers/provider.js'
import { parseWebUrl } from './url.js'

/** Headers of a request, which may be keys. A function is asked at each call, so that a key can change. */
export type SecretHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

export interface WebToolsOptions {
  readonly provider: SearchProviderName
  /** The proxy (docs/web-search.md), to which `/proxy/cse`, `/proxy/serper` or `/proxy/exa` is added: `https://search.example.com`. */
  readonly baseUrl: string
  /** Sent with each search: the key of the proxy, if it wants one. They go nowhere else, and appear in no output, event or error. */
  readonly headers?: SecretHeaders
  /** Default: 3 attempts, waits of at most 200 ms, then 400 ms; never past the call's deadline. */
  readonly retry?: RetryOptions
}

/** The options, checked. */
export interface WebSettings {
  readonly provider: SearchProviderName
  readonly address: string
  readonly headers: SecretHeaders
  readonly retry: RetryOptions
}

/** @throws {TypeError} that does not quote the address: it may hold a key, which is the mistake */
export function checkOptions(options: WebToolsOptions): WebSettings {
  const { provider, baseUrl, headers = {}, retry = {} } = { ...options }
  if (!Object.hasOwn(SEARCH_PATHS, provider)) {
    throw new TypeError(`Cannot search with "${provider}": expected ${Object.keys(SEARCH_PATHS).join(', ')}`)
  }
  const base = parseWebUrl(baseUrl)
  if (!base) throw new TypeError('Cannot search: baseUrl is no address that begins with http:// or https://')
  if (base.username || base.password || base.search || base.hash) {
    throw new TypeError('Cannot search: baseUrl has a user, a password, a query or a fragment; keys belong into "headers"')
  }
  return { provider, address: base.href.replace(/\/+$/, '') + SEARCH_PATHS[provider], headers, retry }
}
