import type { RetryOptions } from '../../ops/retry.js'
import type { JsToolsOptions } from '../../tools/js/index.js'
import type { SecretHeaders } from '../../tools/web/index.js'
import { parseWebUrl } from '../../tools/web/url.js'

export type LoafApiKey = string | undefined | Promise<string | undefined>

/** The search service of `search_web`, with its API key. The fetch adapter must allow the origin. */
export interface LoafExaOptions {
  /** The complete URL: `https://api.exa.ai/search`, or `/proxy/exa` of a proxy. */
  readonly url: string
  /** The API key, sent as `x-api-key`. Toolport sends the key nowhere else, and no output, event or error contains the key. */
  readonly apiKey?: string
  /** Called for each search if there is no `apiKey`. */
  readonly getApiKey?: () => LoafApiKey
  /** Headers of each search instead of an API key, for a proxy that has its own: `{ authorization: 'Bearer ...' }`, or `{}`. */
  readonly headers?: SecretHeaders
  /** How to repeat failed requests. Default: 3 attempts with waits of up to 200 ms, then 400 ms. */
  readonly retry?: RetryOptions
}

/** Options of the preset `loaf`. */
export interface LoafOptions {
  /** Enables `search_web`. No search service is built in. */
  readonly exa?: LoafExaOptions
  /** Grants of JavaScript programs, and the package registry. Requires a JavaScript adapter (port `js`). */
  readonly jsTools?: JsToolsOptions
  /**
   * Whether `apply_patch` changes all files or none. Default false, as documented: the tool applies sections one after another, and keeps
   * earlier sections after a failure.
   */
  readonly atomic?: boolean
}

/** @throws {TypeError} for an invalid URL; the message does not quote the URL, which may contain an API key */
export function checkExa(exa: LoafExaOptions): LoafExaOptions {
  const url = parseWebUrl(exa.url)
  if (!url) throw new TypeError('Cannot search: exa.url is no address that begins with http:// or https://')
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('Cannot search: exa.url has a user, a password, a query or a fragment; the key belongs into "apiKey"')
  }
  return { ...exa, url: url.href }
}
