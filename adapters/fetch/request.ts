import type { FetchRequest } from '../../src/types/ports.js'
import { allowedUrl } from './origins.js'
import { type Hop, hopOf } from './redirects.js'

/** Never sent: cookies of the caller's belong to no origin in particular. */
const COOKIES = ['cookie', 'cookie2']

/** A request as it is sent first. Its body is read whole, so that a redirect can repeat it. @throws {NetworkError} `blocked_origin` */
export async function firstHop(request: FetchRequest, origins: ReadonlySet<string>): Promise<Hop> {
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

/** As `Request` does: these are the methods that the standard writes in capitals, the rest is left as it is. */
function normalMethod(method: string): string {
  return /^(delete|get|head|options|post|put)$/i.test(method) ? method.toUpperCase() : method
}

/** @throws {TypeError} without the header's value, which may be a key and which the platform's own error quotes */
function headersOf(headers: unknown): Headers {
  try {
    return new Headers((headers ?? {}) as HeadersInit)
  } catch {
    throw new TypeError('Cannot fetch: a header has a name or a value that HTTP does not allow')
  }
}
