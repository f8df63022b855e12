/** What the proxy answers: JSON, which no cache on the way keeps and no browser takes for something else. */
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

/** A request that is not met. Thrown inside the proxy, answered by it. */
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

/** `text` is JSON. */
export function answer(text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { headers: { ...HEADERS, ...headers } })
}

/** `{"error": {"code", "message"}}`. What is no `ProxyError` is told as `internal`, without its words. */
export function refusal(error: unknown): Response {
  const { code, message, headers } = error instanceof ProxyError ? error : new ProxyError('internal', 'The proxy failed')
  return new Response(JSON.stringify({ error: { code, message } }), { status: STATUS[code], headers: { ...HEADERS, ...headers } })
}

/** For `Retry-After`: whole seconds, at least one. */
export const seconds = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1000)))
