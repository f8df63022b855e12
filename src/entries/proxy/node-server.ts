import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeListener } from '../mcp/node-listener.js'
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
    const listener = toNodeListener((request) => {
      clients.set(request, networkOf(incoming.socket.remoteAddress ?? ''))
      return handler(request)
    })
    listener(incoming, outgoing)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, close: () => close(server) }
}

async function close(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(late)
}
