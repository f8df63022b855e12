import { NetworkError } from '../../src/errors/index.js'
import { allowedUrl, labelOf } from './origins.js'

/** One request on the way to the answer. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body?: Uint8Array<ArrayBuffer>
  /** The address for messages. */
  readonly label: string
}

export const hopOf = (hop: Omit<Hop, 'label'>): Hop => ({ ...hop, label: labelOf(hop.url) })

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** What says something about the body, and goes with it. */
const OF_THE_BODY = ['content-encoding', 'content-language', 'content-location', 'content-length', 'content-type']
/** All that another origin gets: any other header may be a key, whatever its name. */
const FOR_OTHERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent', ...OF_THE_BODY])

/**
 * The request that a redirect asks for, by the rules of the Fetch standard; undefined for any other response.
 * @throws {NetworkError} `blocked_origin`, also where the platform does not show the target
 */
export async function nextHop(hop: Hop, response: Response, origins: ReadonlySet<string>): Promise<Hop | undefined> {
  if (response.type === 'opaqueredirect') {
    throw new NetworkError('blocked_origin', `${hop.label} redirects, and a browser does not show where to: ask the final address`)
  }
  const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
  if (location === null) return undefined
  // Nobody reads it; left alone it would hold the connection.
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
