import type { McpConnection } from './origin-check.js'

/** Loopback addresses of IPv4 and IPv6, and IPv4 addresses mapped to IPv6. */
const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/

/** The used part of Node's `IncomingMessage`. Workers import this module too and have no Node types. */
export interface IncomingMessageLike {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headersDistinct: { readonly [name: string]: readonly string[] | undefined }
  readonly complete: boolean
  readonly socket: { readonly localAddress?: string | undefined }
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterator<Uint8Array>
}

/** The used part of Node's `ServerResponse`. */
export interface ServerResponseLike {
  readonly headersSent: boolean
  on(event: string, listener: () => void): unknown
  once(event: string, listener: () => void): unknown
  off(event: string, listener: () => void): unknown
  setHeader(name: string, value: string): unknown
  writeHead(status: number): unknown
  flushHeaders(): void
  write(chunk: Uint8Array): boolean
  end(): unknown
  destroy(): unknown
}

/** Handles a request. `connection` says whether the request arrived over loopback. */
type RequestHandler = (request: Request, connection: McpConnection) => Promise<Response>

/**
 * Converts a handler of standard requests to a listener for Node's server: `createServer(toNodeListener(handler))`. Bodies stream both
 * ways. If the client disconnects, the request's signal aborts and the response's body is cancelled. If the handler rejects, the client
 * gets 500. If the body fails, the connection breaks off.
 */
export function toNodeListener(handler: RequestHandler): (incoming: IncomingMessageLike, outgoing: ServerResponseLike) => void {
  return (incoming, outgoing) => void respond(handler, incoming, outgoing)
}

async function respond(handler: RequestHandler, incoming: IncomingMessageLike, outgoing: ServerResponseLike): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  outgoing.on('error', () => {})
  try {
    const request = toRequest(incoming, gone.signal)
    const loopback = LOOPBACK_ADDRESS.test(incoming.socket.localAddress ?? '')
    const response = request ? await handler(request, { loopback }) : new Response(null, { status: 400 })
    for (const [name, value] of response.headers) outgoing.setHeader(name, value)
    // Close the connection if a part of the request body is unread, because Node would parse it as the next request.
    if (!incoming.complete) outgoing.setHeader('connection', 'close')
    outgoing.writeHead(response.status)
    outgoing.flushHeaders()
    if (response.body) await send(response.body, outgoing, gone.signal)
  } catch {
    // Break the connection off, because a clean end would make a partial body look complete.
    if (outgoing.headersSent) return void outgoing.destroy()
    outgoing.writeHead(500)
  }
  outgoing.end()
}

async function send(body: ReadableStream<Uint8Array>, outgoing: ServerResponseLike, gone: AbortSignal): Promise<void> {
  const reader = body.getReader()
  const leave = (): void => void reader.cancel().catch(() => {})
  if (gone.aborted) return leave()
  gone.addEventListener('abort', leave, { once: true })
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!outgoing.write(next.value) && !gone.aborted) await drained(outgoing)
  }
}

function drained(outgoing: ServerResponseLike): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done)
      outgoing.off('close', done)
      resolve()
    }
    outgoing.once('drain', done)
    outgoing.once('close', done)
  })
}

/** Returns undefined for a request that the standard `Request` rejects. */
function toRequest(incoming: IncomingMessageLike, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  try {
    const headers = new Headers()
    for (const [name, values] of Object.entries(incoming.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
    const init = { method, headers, signal, ...(hasBody && { body: bodyOf(incoming), duplex: 'half' }) }
    // Do not build the URL from the client's `Host` header, which may be invalid.
    return new Request(`http://localhost${url.startsWith('/') ? url : '/'}`, init)
  } catch {
    return undefined
  }
}

function bodyOf(incoming: IncomingMessageLike): ReadableStream<Uint8Array> {
  const chunks = incoming.iterator({ destroyOnReturn: false })
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}
