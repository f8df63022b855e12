import { ProxyError } from './answers.js'

const DAY_SECONDS = 86_400

/**
 * The headers that let the page of a request read the answer; none for a program, which sends no `Origin`.
 * @throws {ProxyError} for a page that is not named
 */
export function corsHeaders(request: Request, origins: ReadonlySet<string>): Readonly<Record<string, string>> {
  const origin = request.headers.get('origin')
  if (origin === null) return { vary: 'Origin' }
  if (!origins.has(origin)) throw new ProxyError('origin_not_allowed', 'Pages of this origin may not use the proxy', { vary: 'Origin' })
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After' }
}

/** What a browser asks before it lets a page send JSON. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Content-Type, Authorization',
      'access-control-max-age': String(DAY_SECONDS),
    },
  })
}

/** @throws {TypeError} for what no browser sends as an origin, so that it would never fit */
export function checkOrigins(origins: readonly string[]): ReadonlySet<string> {
  for (const origin of origins) {
    const exact = URL.canParse(origin) && new URL(origin).origin === origin
    if (!exact) throw new TypeError(`Cannot allow the origin "${origin}": expected scheme, host and port alone, as "https://example.com"`)
  }
  return new Set(origins)
}
