import type { McpConnection } from './origin-check.js'

/** As IPv6 has it, or as IPv6 writes that of IPv4. */
const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/

/** The part of Node's `IncomingMessage` that is used: Workers, which import this too, have no types of Node. */
export interface IncomingMessageLike {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headersDistinct: { readonly [name: string]: readonly string[] | undefined }
  readonly complete: boolean
  readonly socket: { readonly localAddress?: string | undefined }
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterator<Uint8Array>
}

/** The part of Node's `ServerResponse` that is used. */
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

/** `connection` says whether the request has come over loopback. */
type RequestHandler = (request: Request, connection: McpConnection) => Promise<Response>

/**
 * A handler of standard requests as a listener of Node's own server: `createServer(toNodeListener(handler))`. Bodies stream both ways; a
 * client that leaves aborts the request's signal and cancels the response's body. A handler that rejects is answered with 500,
 * and a body that fails breaks the connection off.
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
    // What was not read of a request would stand before the next one on this connection.
    if (!incoming.complete) outgoing.setHeader('connection', 'close')
    outgoing.writeHead(response.status)
    outgoing.flushHeaders()
    if (response.body) await send(response.body, outgoing, gone.signal)
  } catch {
    // A proper end would pass off what was sent as the whole.
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

/** Undefined for what the standard's `Request` refuses. */
function toRequest(incoming: IncomingMessageLike, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  try {
    const headers = new Headers()
    for (const [name, values] of Object.entries(incoming.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
    const init = { method, headers, signal, ...(hasBody && { body: bodyOf(incoming), duplex: 'half' }) }
    // The host that the client names means nothing here, and may be none.
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
