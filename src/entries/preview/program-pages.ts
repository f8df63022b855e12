import { decodeUtf8 } from '../../ops/utf8.js'

/** Answers a request for a path of the site, such as `/about?tab=1`. The request has the URL of the site. */
export type ProgramFetch = (path: string, request: Request) => Promise<Response> | undefined

interface ProgramPage {
  /** Path at which the site begins. */
  readonly base: string
  /** The request's path in the program. */
  readonly path: string
  /** Changes the HTML of a page. */
  readonly addClient: (html: string) => string
}

const HERE = new Set(['localhost', '127.0.0.1', '[::1]'])
/** The program says where its pages may be embedded, but not that the preview may not. */
const DROPPED = ['x-frame-options', 'content-length', 'content-encoding', 'transfer-encoding']

/** What a program is sent: nothing of the preview's own, and no encoding that would have to be unpacked. */
export function programRequest(url: string, request: Request): Request {
  const sent = new Request(url, request)
  sent.headers.delete('accept-encoding')
  return sent
}

/** What a program answered, as a response of the site: its pages have the client script, its redirects lead to pages of the site. */
export async function programResponse(response: Response, { base, path, addClient }: ProgramPage): Promise<Response> {
  const headers = new Headers(response.headers)
  const isEncoded = headers.has('content-encoding')
  for (const name of DROPPED) if (name !== 'content-encoding' || !isEncoded) headers.delete(name)
  const location = headers.get('location')
  if (location !== null) headers.set('location', siteLocation(location, base, path))
  const answer = { status: response.status, headers }
  if (isEncoded || !headers.get('content-type')?.startsWith('text/html') || !response.body) return new Response(response.body, answer)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const html = decodeUtf8(bytes)
  return new Response(html === undefined ? bytes : addClient(html), answer)
}

/** A path of the site for an address of the program; other addresses stay. */
function siteLocation(location: string, base: string, path: string): string {
  if (!URL.canParse(location, `http://localhost${path}`)) return location
  const { hostname, pathname, search, hash } = new URL(location, `http://localhost${path}`)
  return HERE.has(hostname) ? base + pathname.replace(/^\/+/, '') + search + hash : location
}
