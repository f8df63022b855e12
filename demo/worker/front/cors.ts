import { HttpError } from '../http/errors.js'

const DAY_SECONDS = 86_400
const EXPOSED = 'Retry-After, Mcp-Session-Id, Mcp-Protocol-Version'

/**
 * The headers that let the page of a request read the answer; none for a program, which sends no `Origin`. `origins`: separated by commas.
 *
 * @throws {HttpError} origin_not_allowed
 */
export function corsHeaders({ headers }: Request, origins = ''): Readonly<Record<string, string>> {
  const origin = headers.get('origin')
  if (origin === null) return { vary: 'Origin' }
  // None that is empty is named: not by a variable that is not set either.
  if (origin === '' || !origins.split(',').some((named) => named.trim() === origin)) {
    throw new HttpError(403, 'origin_not_allowed', 'Pages of this origin may not ask', {
      hint: 'The operator names origins in the variable ORIGINS',
      headers: { vary: 'Origin' },
    })
  }
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
}

/** What a browser asks before it lets a page send a token or JSON. */
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
