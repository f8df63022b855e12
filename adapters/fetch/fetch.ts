import { NetworkError } from '../../src/errors/index.js'
import { required } from '../../src/errors/required.js'
import { systemHost } from '../../src/host.js'
import { joinBytes } from '../../src/ops/bytes.js'
import { untilAborted } from '../../src/ops/concurrency.js'
import type { Host } from '../../src/types/host.js'
import type { FetchAdapter, FetchRequest, FetchResponse } from '../../src/types/ports.js'

/** Options of `createFetch`. Only `origins` is required. */
export interface FetchOptions {
  /**
   * Allowed origins: `https://example.com`, `http://127.0.0.1:8080`. Scheme, host and port must match exactly. A redirect to another origin
   * fails too. An allowed origin may be on a private network, because no other rule applies.
   */
  readonly origins: readonly string[]
  /** Maximum milliseconds for the whole exchange, including redirects and the complete body. Default: 30,000. */
  readonly timeoutMs?: number
  /** Maximum bytes of a response body after decompression. Default: 10 MiB. */
  readonly maxBytes?: number
  /** Maximum number of redirects. Default: 5. In browsers, every redirect fails, whatever this value, because browsers hide the target. */
  readonly maxRedirects?: number
  /** Sends the requests. Default: the global `fetch`, looked up at each request. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Provides the timer for `timeoutMs`. Default: the system's timers. */
  readonly host?: Pick<Host, 'sleep'>
}

const MIB = 1024 * 1024

/**
 * Creates a network adapter that uses the standard `fetch`, for the listed origins only. The adapter sends no cookies.
 *
 * `fetch` resolves when the body is complete, so the timeout, the limits and the signal cover the whole exchange. `fetch` rejects with a
 * `NetworkError` (`network`, `blocked_origin`, `too_large`), or with the reason of the request's signal. Every HTTP status is a response,
 * not an error.
 *
 * @throws {TypeError} for an invalid origin, or a limit that is not an integer
 */
export function createFetch(options: FetchOptions): FetchAdapter {
  const origins = new Set(
    required('createFetch', 'the option "origins", a list of those that may be asked', options?.origins, 'map').map(checkOrigin),
  )
  const { timeoutMs = 30_000, maxBytes = 10 * MIB, maxRedirects = 5, host = systemHost } = options
  checkLimits({ timeoutMs, maxBytes, maxRedirects })
  // Call `fetch` through `globalThis`: browsers and Workers reject `fetch` as a method of another object.
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

/**
 * Returns whether requests can be told to omit cookies. Workers have no cookies, and reject this setting. This is a function because in
 * Node the first access to `Request` loads the HTTP client.
 */
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
  // Reject a path, a query or a wildcard, because it would suggest a rule that does not exist.
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

const decoder = new TextDecoder()

/** Returns a response with a complete body, which can be read repeatedly. Omits cookies. */
function toResponse({ ok, status, headers }: Response, body: Uint8Array<ArrayBuffer>): FetchResponse {
  return {
    ok,
    status,
    headers: { get: (name) => (/^set-cookie2?$/i.test(name) ? null : headers.get(name)) },
    text: async () => decoder.decode(body),
    json: async () => JSON.parse(decoder.decode(body)),
    arrayBuffer: async () => body.slice().buffer,
  }
}

/** Headers that are never sent: the caller's cookies could belong to another origin. */
const COOKIES = ['cookie', 'cookie2']

/** Prepares the first request. Buffers the body, so that a redirect can repeat it. @throws {NetworkError} `blocked_origin` */
async function firstHop(request: FetchRequest, origins: ReadonlySet<string>): Promise<Hop> {
  const url = allowedUrl(request.url, undefined, origins)
  const method = normalMethod(request.method ?? 'GET')
  const headers = headersOf(request.headers)
  for (const name of COOKIES) headers.delete(name)
  if (request.body === undefined || request.body === null) return hopOf({ url, method, headers })
  const content = new Response(request.body as BodyInit)
  const type = content.headers.get('content-type')
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
  return hopOf({ url, method, headers, body: new Uint8Array(await content.arrayBuffer()) })
}

/** Converts only the standard methods to upper case, as `Request` does. */
function normalMethod(method: string): string {
  return /^(delete|get|head|options|post|put)$/i.test(method) ? method.toUpperCase() : method
}

/**
 * Returns the headers. @throws {TypeError} without the header's value in its message, because the value may be an API key. The platform's
 * own error would quote the value
 */
function headersOf(headers: unknown): Headers {
  try {
    return new Headers((headers ?? {}) as HeadersInit)
  } catch {
    throw new TypeError('Cannot fetch: a header has a name or a value that HTTP does not allow')
  }
}

interface TimeOptions {
  readonly host: Pick<Host, 'sleep'>
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Resolves to the result of `work`. Rejects as soon as the caller's signal aborts (with the signal's reason) or the time is over (with a
 * `NetworkError` whose cause is a `TimeoutError`), even if `work` ignores its signal.
 */
function withinTime<T>(work: (signal: AbortSignal) => Promise<T>, { host, timeoutMs, signal }: TimeOptions): Promise<T> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  const stop = new AbortController()
  const ended = new AbortController()
  const onAbort = (): void => stop.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  void host.sleep(timeoutMs, ended.signal).then(() => {
    if (!ended.signal.aborted) stop.abort(timeoutError(timeoutMs))
  })
  return untilAborted(work(stop.signal), stop.signal).finally(() => {
    signal?.removeEventListener('abort', onAbort)
    ended.abort()
  })
}

function timeoutError(timeoutMs: number): NetworkError {
  const message = `Cannot fetch: no complete answer within ${timeoutMs} ms`
  const cause = Object.assign(new Error(message), { name: 'TimeoutError' })
  return new NetworkError('network', message, { retryable: true, cause })
}

interface BodyOptions {
  readonly hop: Hop
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/**
 * Reads a response body. @throws {NetworkError} `too_large`, before reading if the response declares its length; `network` if the body ends
 * too early
 */
async function readBody(response: Response, { hop, maxBytes, signal }: BodyOptions): Promise<Uint8Array<ArrayBuffer>> {
  if (hop.method === 'HEAD' || !response.body) return new Uint8Array()
  const tooLarge = (): NetworkError => new NetworkError('too_large', `Cannot fetch ${hop.label}: it is larger than ${maxBytes} bytes`)
  const reader = response.body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  // Cancel the body on abort: a `fetch` that ignores the signal would keep receiving data.
  signal.addEventListener('abort', cancel)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      if (size > maxBytes) throw tooLarge()
      chunks.push(value)
    }
    return joinBytes(chunks)
  } catch (error) {
    cancel()
    if (signal.aborted) throw signal.reason
    if (error instanceof NetworkError) throw error
    throw new NetworkError('network', `Cannot fetch ${hop.label}: the answer broke off`, { retryable: true, cause: error })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** One request in a chain of redirects. */
interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body?: Uint8Array<ArrayBuffer>
  /** The URL as error messages show it. */
  readonly label: string
}

const hopOf = (hop: Omit<Hop, 'label'>): Hop => ({ ...hop, label: labelOf(hop.url) })

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Headers that describe the body. A redirect that drops the body also drops these headers. */
const OF_THE_BODY = ['content-encoding', 'content-language', 'content-location', 'content-length', 'content-type']
/** The only headers that a redirect sends to another origin. Any other header may contain an API key. */
const FOR_OTHERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent', ...OF_THE_BODY])

/**
 * Returns the next request if the response is a redirect, by the rules of the Fetch standard. Returns undefined for any other response.
 * @throws {NetworkError} `blocked_origin`, also if the platform hides the target
 */
async function nextHop(hop: Hop, response: Response, origins: ReadonlySet<string>): Promise<Hop | undefined> {
  if (response.type === 'opaqueredirect') {
    throw new NetworkError('blocked_origin', `${hop.label} redirects, and a browser does not show where to: ask the final address`)
  }
  const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
  if (location === null) return undefined
  // Cancel the body of the redirect: while a body is unread, the connection stays open.
  await response.body?.cancel().catch(() => {})
  const url = allowedUrl(location, hop.url, origins)
  const headers = new Headers(hop.headers)
  if (url.origin !== hop.url.origin) for (const name of [...headers.keys()]) if (!FOR_OTHERS.has(name)) headers.delete(name)
  if (!becomesGet(response.status, hop.method)) return hopOf({ ...hop, url, headers })
  for (const name of OF_THE_BODY) headers.delete(name)
  return hopOf({ url, method: 'GET', headers })
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}

/**
 * Resolves an absolute or relative URL, and checks its origin.
 * @throws {NetworkError} `blocked_origin`
 */
function allowedUrl(address: string, base: URL | undefined, origins: ReadonlySet<string>): URL {
  const how = base ? `${labelOf(base)} redirects to` : 'Cannot fetch'
  if (!URL.canParse(address, base)) throw new NetworkError('blocked_origin', `${how} an address that is no URL`)
  const url = new URL(address, base)
  // Check the scheme too: a `blob:` URL has the origin of the page that created the blob.
  if (!/^https?:$/.test(url.protocol) || !origins.has(url.origin))
    throw new NetworkError('blocked_origin', `${how} ${labelOf(url)}: its origin is not allowed`)
  if (url.username || url.password) throw new NetworkError('blocked_origin', `${how} ${labelOf(url)}: the address has a user or a password`)
  return url
}

/** Returns a URL for error messages: shortened, without query and credentials. */
function labelOf({ protocol, host, pathname }: URL): string {
  return `"${`${protocol}//${host}${pathname}`.slice(0, 200)}"`
}
