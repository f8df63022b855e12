import { NetworkError } from '../../src/errors/index.js'
import { required } from '../../src/errors/required.js'
import { systemHost } from '../../src/host.js'
import type { Host } from '../../src/types/host.js'
import type { FetchAdapter, FetchRequest, FetchResponse } from '../../src/types/ports.js'
import { readBody } from './body.js'
import { type Hop, nextHop } from './redirects.js'
import { firstHop } from './request.js'
import { toResponse } from './response.js'
import { withinTime } from './within-time.js'

export interface FetchOptions {
  /**
   * The origins that may be asked: `https://example.com`, `http://127.0.0.1:8080`. Exact: scheme, host and port. Nothing else is
   * reached, not through a redirect either. One that stands here may be on a private network: the list is the only rule.
   */
  readonly origins: readonly string[]
  /** Milliseconds for the whole exchange: redirects, and the body to its end. Default 30,000. */
  readonly timeoutMs?: number
  /** Bytes of a response's body, decompressed; default 10 MiB. */
  readonly maxBytes?: number
  /** Default 5. In browsers none is followed, whatever stands here: they do not show where one leads. */
  readonly maxRedirects?: number
  /** Default: the global one, looked up at each request. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Time and waiting; default the system's. */
  readonly host?: Pick<Host, 'sleep'>
}

const MIB = 1024 * 1024

/**
 * The network through the standard `fetch`, for the origins that are named and no other. Without cookies.
 *
 * `fetch` answers when the body is there, so its timeout, its limits and the signal hold for everything. It rejects with a `NetworkError`
 * (`network`, `blocked_origin`, `too_large`), or with the reason of the request's signal. A status of any kind is an answer.
 *
 * @throws {TypeError} an origin that is none, or a limit that is no whole number
 */
export function createFetch(options: FetchOptions): FetchAdapter {
  const origins = new Set(
    required('createFetch', 'the option "origins", a list of those that may be asked', options?.origins, 'map').map(checkOrigin),
  )
  const { timeoutMs = 30_000, maxBytes = 10 * MIB, maxRedirects = 5, host = systemHost } = options
  checkLimits({ timeoutMs, maxBytes, maxRedirects })
  // Called without an object: browsers and Workers refuse their `fetch` as a method of anything else.
  const send = options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init))

  const exchange = async (request: FetchRequest, signal: AbortSignal): Promise<FetchResponse> => {
    let hop = await firstHop(request, origins)
    for (let redirects = 0; ; redirects++) {
      const response = await sendHop(send, hop, signal)
      const next = await nextHop(hop, response, origins)
      if (!next) return toResponse(response, await readBody(response, { hop, maxBytes, signal }))
      if (redirects === maxRedirects) {
        throw new NetworkError('network', `Cannot fetch ${hop.label}: more than ${maxRedirects} redirects`)
      }
      hop = next
    }
  }

  return {
    name: 'fetch',
    fetch: (request) => withinTime((signal) => exchange(request, signal), { host, timeoutMs, signal: request.signal ?? undefined }),
  }
}

/** Workers have no cookies of their own, and refuse the setting. Asked late: Node loads its HTTP client with the first look at `Request`. */
const omitsCookies = (): boolean => 'credentials' in Request.prototype

async function sendHop(send: NonNullable<FetchOptions['fetch']>, hop: Hop, signal: AbortSignal): Promise<Response> {
  const { url, method, headers, body, label } = hop
  try {
    return await send(url.href, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body && { body }),
      ...(omitsCookies() && { credentials: 'omit' }),
    })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new NetworkError('network', `Cannot fetch ${label}: the connection failed`, { retryable: true, cause: error })
  }
}

function checkOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  // A path, a query or a wildcard would promise a rule that is not there.
  const fits = url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(origin.toLowerCase())
  if (!fits) throw new TypeError(`Cannot allow the origin "${origin}": expected scheme, host and port alone, as "https://example.com"`)
  return url.origin
}

function checkLimits(limits: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(limits)) {
    const least = name === 'maxRedirects' ? 0 : 1
    if (!Number.isSafeInteger(value) || value < least) throw new TypeError(`Cannot set ${name}: expected a whole number from ${least}`)
  }
}
