/** Headers of JSON answers: no cache may store them, and no browser may interpret them as another type. */
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export type ProxyErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'origin_not_allowed'
  | 'not_found'
  | 'method_not_allowed'
  | 'too_large'
  | 'not_json'
  | 'rate_limited'
  | 'not_configured'
  | 'upstream_failed'
  | 'upstream_busy'
  | 'upstream_timeout'
  | 'internal'

const STATUS: Readonly<Record<ProxyErrorCode, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  not_json: 415,
  rate_limited: 429,
  not_configured: 500,
  internal: 500,
  upstream_failed: 502,
  upstream_busy: 503,
  upstream_timeout: 504,
}

/** A rejected or failed request. Thrown inside the proxy, and converted to a response there. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly code: ProxyErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProxyErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }
}

/** Returns the response for a successful request. `text` must be JSON. */
export function answer(text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { headers: { ...HEADERS, ...headers } })
}

/** Returns the response `{"error": {"code", "message"}}`. An error that is not a `ProxyError` becomes `internal`, without its message. */
export function refusal(error: unknown): Response {
  const { code, message, headers } = error instanceof ProxyError ? error : new ProxyError('internal', 'The proxy failed')
  return new Response(JSON.stringify({ error: { code, message } }), { status: STATUS[code], headers: { ...HEADERS, ...headers } })
}

/** Converts milliseconds to whole seconds for `Retry-After`, at least 1. */
export const seconds = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1000)))
