import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { networkOf } from './rate-limit.js'

export interface ServerOptions {
  readonly host: string
  /** TCP port; 0 chooses a free port. */
  readonly port: number
}

export interface ProxyServer {
  /** The URL of the server, such as `http://127.0.0.1:8787`. */
  readonly url: string
  /** Stops accepting requests, waits up to 2 seconds for running requests, and then ends them. */
  close(): Promise<void>
}

/** Maximum milliseconds for a client to send its request. */
const REQUEST_TIMEOUT_MS = 15_000
const CLOSE_MS = 2000

/**
 * Serves a handler of standard requests over HTTP. `clientOf` identifies the client of a request by the remote address of its connection.
 * Rejects with the system's error if the port is unavailable.
 */
export async function serve(
  handlerOf: (clientOf: (request: Request) => string) => (request: Request) => Promise<Response>,
  { host, port }: ServerOptions,
): Promise<ProxyServer> {
  const clients = new WeakMap<Request, string>()
  const handler = handlerOf((request) => clients.get(request) ?? '')
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS }, (incoming, outgoing) => {
    void respond(incoming, outgoing, (request) => {
      clients.set(request, networkOf(incoming.socket.remoteAddress ?? ''))
      return handler(request)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, close: () => close(server) }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handler: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  try {
    const response = await handler(toRequest(incoming, gone.signal))
    for (const [name, value] of response.headers) outgoing.setHeader(name, value)
    // Close the connection if a part of the request body is unread, because Node would parse it as the next request.
    if (!incoming.complete) outgoing.setHeader('connection', 'close')
    outgoing.writeHead(response.status)
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  } catch {
    if (!outgoing.headersSent) outgoing.writeHead(400, { connection: 'close' })
    outgoing.end()
  }
}

/** @throws for a method or a header that the standard `Request` rejects */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers: given } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) for (const one of [value ?? []].flat()) headers.append(name, one)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  // Do not build the URL from the client's `Host` header, which may be missing.
  return new Request(`http://localhost${url.startsWith('/') ? url : '/'}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' }),
  } as RequestInit)
}

async function close(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(late)
}
