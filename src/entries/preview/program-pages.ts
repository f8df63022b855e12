import { untilAborted } from '../../ops/concurrency.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import { createBodyReader } from './read-body.js'

/** An HTTP program whose pages a preview shows. */
export interface PreviewProgram {
  /**
   * The program's own origin, such as `http://localhost:3000`. Requests have URLs of this origin, and redirects to it stay in the preview.
   */
  readonly origin: string
  /** Answers a request, such as `(request) => servers.fetch(request)`. If it resolves to undefined, the workspace answers. */
  fetch(request: Request): Promise<Response | undefined>
}

interface ProgramPage {
  /** Path at which the site begins. */
  readonly base: string
  /** The request's URL in the program. */
  readonly url: string
  /** Returns the HTML of a page with the client script. */
  readonly addClient: (html: string) => string
  /** Aborts reading a page. */
  readonly signal: AbortSignal
}

const HERE = new Set(['localhost', '127.0.0.1', '[::1]'])
/**
 * Response headers to remove. `x-frame-options` would block the preview's frame, and the other headers no longer match the changed body.
 */
const DROPPED = ['x-frame-options', 'content-length', 'transfer-encoding']

/** Converts a request for the program. Asks for an uncompressed response, so that the client script can be inserted. */
export async function programRequest(url: string, request: Request): Promise<Request> {
  const { method, signal } = request
  const headers = new Headers(request.headers)
  headers.set('accept-encoding', 'identity')
  const isEmpty = method === 'GET' || method === 'HEAD'
  // A navigation request cannot be cloned, and Firefox has no `request.body`.
  const body = isEmpty ? {} : { body: request.body ?? (await request.arrayBuffer()), duplex: 'half' }
  return new Request(url, { method, headers, signal, redirect: 'manual', ...body } as RequestInit)
}

/**
 * Sends a request to the program. After an abort, rejects immediately, even if the program goes on. @throws the reason of the request's
 * signal
 */
export async function askProgram(program: PreviewProgram, request: Request): Promise<Response | undefined> {
  const { signal } = request
  signal.throwIfAborted()
  const answering = (async () => program.fetch(request))()
  try {
    return await untilAborted(answering, signal)
  } catch (error) {
    // Cancel a response that arrives later, because nobody reads it.
    void answering.then((late) => late?.body?.cancel()).catch(() => {})
    throw error
  }
}

/**
 * Converts the program's response: adds the client script to pages, and maps redirects to the site.
 *
 * @throws {TooLargeError} for a page that is too large; the reason of the signal
 */
export async function programResponse(response: Response, { base, url, addClient, signal }: ProgramPage): Promise<Response> {
  const headers = new Headers(response.headers)
  for (const name of DROPPED) headers.delete(name)
  const location = headers.get('location')
  if (location !== null) headers.set('location', siteLocation(location, base, url))
  const answer = { status: response.status, headers }
  const isPage = headers.get('content-type')?.startsWith('text/html') && !headers.has('content-encoding')
  if (!isPage || !response.body) return new Response(response.body, answer)
  const bytes = await createBodyReader(signal)(response, url)
  const html = decodeUtf8(bytes)
  return new Response(html === undefined ? bytes : addClient(html), answer)
}

/** Converts the target of a redirect: an address of the program to a path of the site. Other addresses stay unchanged. */
function siteLocation(location: string, base: string, url: string): string {
  if (!URL.canParse(location, url)) return location
  const to = new URL(location, url)
  const isHere = isSameServer(to, new URL(url))
  return isHere ? base + to.pathname.replace(/^\/+/, '') + to.search + to.hash : location
}

function isSameServer(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true
  return one.protocol === other.protocol && one.port === other.port && HERE.has(one.hostname) && HERE.has(other.hostname)
}
