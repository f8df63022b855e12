import { HttpError } from '../http/errors.js'

const DAY_SECONDS = 86_400
const EXPOSED = 'Retry-After, Mcp-Session-Id, Mcp-Protocol-Version'

/**
 * The CORS headers for the request's origin. Programs send no `Origin` and get no CORS headers. `origins` is separated by commas.
 *
 * @throws {HttpError} origin_not_allowed
 */
export function corsHeaders({ headers }: Request, origins = ''): Readonly<Record<string, string>> {
  const origin = headers.get('origin')
  if (origin === null) return { vary: 'Origin' }
  // An unset ORIGINS must not match an empty `Origin`.
  if (origin === '' || !origins.split(',').some((named) => named.trim() === origin)) {
    throw new HttpError(403, 'origin_not_allowed', 'Pages of this origin may not ask', {
      hint: 'The operator names origins in the variable ORIGINS',
      headers: { vary: 'Origin' },
    })
  }
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
}

/** Answers the CORS preflight that browsers send before a request with a token or JSON. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, Mcp-Session-Id, Mcp-Protocol-Version, Last-Event-ID',
      'access-control-max-age': String(DAY_SECONDS),
    },
  })
}
