import { createFetch } from '../../../adapters/fetch/index.js'
import type { NetworkError } from '../../errors/index.js'
import { systemHost } from '../../host.js'
import { retryAfterMs } from '../../ops/retry.js'
import { decodeUtf8, encodeUtf8 } from '../../ops/utf8.js'
import { record } from '../../tools/web/sanitize.js'
import { redacted } from '../../tools/web/secrets.js'
import type { FetchAdapter, FetchResponse } from '../../types/ports.js'
import { answer, ProxyError, refusal, seconds } from './answers.js'
import { AnswerCache } from './cache.js'
import { checkNumbers, type ProxyOptions } from './options.js'
import { RateLimit } from './rate-limit.js'
import { servicesOf } from './services.js'
import type { UpstreamSearch, UpstreamService } from './upstream.js'

const MINUTE_MS = 60_000
const MIB = 1024 * 1024

/**
 * Creates a handler that forwards searches to search services and keeps their API keys: `POST /proxy/cse`, `/proxy/serper`, `/proxy/exa`,
 * and `GET /health`. The handler takes a standard `Request`, for Workers and any server. It never rejects, and no response contains a key.
 *
 * Cache and rate limits live in the memory of this handler: each isolate of a Worker has its own.
 *
 * @throws {TypeError} for invalid options; the message contains no key
 */
export function createProxy(options: ProxyOptions = {}): (request: Request) => Promise<Response> {
  const { host = systemHost, rate = { requests: 60, perMs: MINUTE_MS }, timeoutMs = 10_000, maxBodyBytes = 16 * 1024 } = options
  checkNumbers(options)
  const services = servicesOf(options)
  const origins = checkOrigins(options.origins ?? [])
  const cache = options.cache === false ? undefined : new AnswerCache(host, options.cache)
  const limit = new RateLimit(host, rate)
  const fetch = createFetch({
    origins: [...services.values()].flatMap((service) => (service ? [new URL(service.url).origin] : [])),
    timeoutMs,
    maxBytes: 4 * MIB,
    host,
    ...(options.fetch && { fetch: options.fetch }),
  })

  const search = async (request: Request, service: UpstreamService): Promise<Response> => {
    const wait = limit.take(options.client?.(request) ?? '')
    if (wait > 0) throw new ProxyError('rate_limited', 'Too many searches for now', { 'retry-after': seconds(wait) })
    const body = record(await readJson(request, maxBodyBytes))
    if (!body) throw new ProxyError('invalid_request', 'The body must be a JSON object')
    const asked = service.read(body)
    const key = JSON.stringify([service.path, asked.key])
    const known = cache?.get(key)
    if (known !== undefined) return answer(known, { 'x-cache': 'hit' })
    // Concurrent equal searches each send a request, because in a Worker a request must not wait for the work of another request.
    const text = await searchUpstream(service, asked, { fetch, now: () => host.now(), signal: request.signal })
    cache?.set(key, text)
    return answer(text, { 'x-cache': 'miss' })
  }

  const route = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname !== '/health' && !services.has(pathname)) throw new ProxyError('not_found', 'There is nothing at this path')
    if (request.method === 'OPTIONS') return preflight()
    const method = pathname === '/health' ? 'GET' : 'POST'
    if (request.method !== method) throw new ProxyError('method_not_allowed', `Use ${method}`, { allow: `${method}, OPTIONS` })
    if (pathname === '/health') return health(services)
    if (!mayAsk(request, options.token))
      throw new ProxyError('unauthorized', 'The token is missing or wrong', { 'www-authenticate': 'Bearer' })
    const service = services.get(pathname)
    if (!service) throw new ProxyError('not_configured', 'This search service is not set up')
    return search(request, service)
  }

  return async (request) => {
    try {
      const cors = corsHeaders(request, origins)
      const response = await route(request).catch(refusal)
      for (const [name, value] of Object.entries(cors)) response.headers.set(name, value)
      return response
    } catch (error) {
      return refusal(error)
    }
  }
}

function health(services: ReadonlyMap<string, UpstreamService | undefined>): Response {
  return answer(JSON.stringify({ status: 'ok', providers: [...services.values()].flatMap((service) => service?.name ?? []) }))
}

function mayAsk(request: Request, token: string | undefined): boolean {
  return token === undefined || sameText(request.headers.get('authorization') ?? '', `Bearer ${token}`)
}

/** Compares two texts in constant time. */
function sameText(given: string, expected: string): boolean {
  const a = encodeUtf8(given)
  const b = encodeUtf8(expected)
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i % b.length] ?? 0)
  return difference === 0
}

const DAY_SECONDS = 86_400

/**
 * Returns CORS headers that let the page read the response. A program, which sends no `Origin`, gets only `Vary`.
 * @throws {ProxyError} for a page whose origin is not allowed
 */
function corsHeaders(request: Request, origins: ReadonlySet<string>): Readonly<Record<string, string>> {
  const origin = request.headers.get('origin')
  if (origin === null) return { vary: 'Origin' }
  if (!origins.has(origin)) throw new ProxyError('origin_not_allowed', 'Pages of this origin may not use the proxy', { vary: 'Origin' })
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After' }
}

/** Answers the CORS preflight, which a browser sends before a page may send JSON. */
function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Content-Type, Authorization',
      'access-control-max-age': String(DAY_SECONDS),
    },
  })
}

/** @throws {TypeError} for a value that browsers never send as an origin, and that would therefore never match */
function checkOrigins(origins: readonly string[]): ReadonlySet<string> {
  for (const origin of origins) {
    const exact = URL.canParse(origin) && new URL(origin).origin === origin
    if (!exact) throw new TypeError(`Cannot allow the origin "${origin}": expected scheme, host and port alone, as "https://example.com"`)
  }
  return new Set(origins)
}

/** Parses the body of a request. @throws {ProxyError} `not_json`, `too_large`, `invalid_request` */
async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  // Requiring this type also makes browsers send a preflight for pages of another origin.
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new ProxyError('not_json', 'Send JSON, with the content type application/json')
  const text = decodeUtf8(await readBytes(request, maxBytes))
  try {
    if (text !== undefined) return JSON.parse(text)
  } catch {
    // Throw the error below instead, because the parser's message quotes the body.
  }
  throw new ProxyError('invalid_request', 'The body is not JSON')
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = (): ProxyError => new ProxyError('too_large', `The body is larger than ${maxBytes} bytes`)
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge()
  const bytes = new Uint8Array(maxBytes)
  let size = 0
  const reader = request.body?.getReader()
  try {
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
      const chunk: Uint8Array = step.value
      if (size + chunk.length > maxBytes) throw tooLarge()
      bytes.set(chunk, size)
      size += chunk.length
    }
  } catch (error) {
    void reader?.cancel().catch(() => {})
    throw error instanceof ProxyError ? error : new ProxyError('invalid_request', 'The body broke off')
  }
  return bytes.subarray(0, size)
}

interface SearchUpstreamOptions {
  readonly fetch: FetchAdapter
  readonly now: () => number
  readonly signal: AbortSignal
}

/**
 * Sends the search and returns the answer in the proxy's JSON format. Hides error texts of the service, because they may contain the key.
 * @throws {ProxyError}
 */
async function searchUpstream(
  service: UpstreamService,
  search: UpstreamSearch,
  { fetch, now, signal }: SearchUpstreamOptions,
): Promise<string> {
  const response = await send(fetch, { ...search.request, signal })
  if (!response.ok) throw statusError(response, now())
  const answer = await response.json().catch(() => undefined)
  const reply = search.shape(redacted(answer, service.secrets))
  if (reply === undefined) throw new ProxyError('upstream_failed', 'The search service did not answer with results')
  // Redact again: removing a part of a text may have joined two halves of a secret.
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
