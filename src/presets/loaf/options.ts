import type { RetryOptions } from '../../ops/retry.js'
import type { JsToolsOptions } from '../../tools/js/index.js'
import type { SecretHeaders } from '../../tools/web/index.js'
import { parseWebUrl } from '../../tools/web/url.js'

export type LoafApiKey = string | undefined | Promise<string | undefined>

/** Where `search_web` asks, and with which key. The fetch adapter has to allow the origin. */
export interface LoafExaOptions {
  /** The whole address: `https://api.exa.ai/search`, or `/proxy/exa` of a proxy. */
  readonly url: string
  /** Sent as `x-api-key`. It goes nowhere else, and appears in no output, event or error. */
  readonly apiKey?: string
  /** Asked at each call, where there is no `apiKey`. */
  readonly getApiKey?: () => LoafApiKey
  /** Sent with each search instead of a key, which is then the proxy's own: `{ authorization: 'Bearer ...' }`, or `{}`. */
  readonly headers?: SecretHeaders
  /** Default: 3 attempts, waits of at most 200 ms, then 400 ms. */
  readonly retry?: RetryOptions
}

export interface LoafOptions {
  /** Without it there is no `search_web`: no address is built in. */
  readonly exa?: LoafExaOptions
  /** What JavaScript may do, and where packages come from. It runs where the runtime has a JavaScript adapter (its port `js`). */
  readonly jsTools?: JsToolsOptions
  /**
   * Whether `apply_patch` changes all files or none. Default false, as documented: one section after another, and what came before a
   * failure stays.
   */
  readonly atomic?: boolean
}

/** @throws {TypeError} that does not quote the address: it may hold a key, which is the mistake */
export function checkExa(exa: LoafExaOptions): LoafExaOptions {
  const url = parseWebUrl(exa.url)
  if (!url) throw new TypeError('Cannot search: exa.url is no address that begins with http:// or https://')
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('Cannot search: exa.url has a user, a password, a query or a fragment; the key belongs into "apiKey"')
  }
  return { ...exa, url: url.href }
}
