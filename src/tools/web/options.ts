import type { RetryOptions } from '../../ops/retry.js'
import { SEARCH_PATHS, type SearchProviderName } from './providers/provider.js'
import { parseWebUrl } from './url.js'

/** Request headers that may contain API keys. A function is called for each request, so that keys can change. */
export type SecretHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

/** Options of the web search tools. */
export interface WebToolsOptions {
  readonly provider: SearchProviderName
  /**
   * Base URL of the proxy (docs/web-search.md): `https://search.example.com`. The tools append `/proxy/cse`, `/proxy/serper` or
   * `/proxy/exa`.
   */
  readonly baseUrl: string
  /**
   * Headers of each search, such as the API key of the proxy. Toolport sends them nowhere else, and no output, event or error contains
   * them.
   */
  readonly headers?: SecretHeaders
  /** How to repeat failed requests. Default: 3 attempts with waits of up to 200 ms, then 400 ms, within the call's deadline. */
  readonly retry?: RetryOptions
}

/** The validated options. */
export interface WebSettings {
  readonly provider: SearchProviderName
  readonly address: string
  readonly headers: SecretHeaders
  readonly retry: RetryOptions
}

/** @throws {TypeError} for invalid options; the message does not quote the URL, which may contain an API key */
export function checkOptions(options: WebToolsOptions): WebSettings {
  const { provider, baseUrl, headers = {}, retry = {} } = { ...options }
  if (!Object.hasOwn(SEARCH_PATHS, provider)) {
    throw new TypeError(`Cannot search with "${provider}": expected ${Object.keys(SEARCH_PATHS).join(', ')}`)
  }
  const base = parseWebUrl(baseUrl)
  if (!base) throw new TypeError('Cannot search: baseUrl must be a URL that begins with http:// or https://')
  if (base.username || base.password || base.search || base.hash) {
    throw new TypeError('Cannot search: baseUrl must not have a user, password, query or fragment. Pass keys in "headers"')
  }
  return { provider, address: base.href.replace(/\/+$/, '') + SEARCH_PATHS[provider], headers, retry }
}
