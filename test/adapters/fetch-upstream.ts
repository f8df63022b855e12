import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server on the loopback interface. */
export interface Upstream {
  readonly origin: string
  /** All received requests, in order. */
  readonly seen: readonly Seen[]
  close(): Promise<void>
}

export type Answer = (response: ServerResponse, request: Seen, origin: string) => void

/** `answers`: path -> response. Tests close the server themselves, because not every supported Node has `Symbol.asyncDispose`. */
export async function startUpstream(answers: Readonly<Record<string, Answer>>): Promise<Upstream> {
  const seen: Seen[] = []
  let origin = ''
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    // Clients may disconnect.
    response.on('error', () => {})
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '/', origin)
      const entry = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
      seen.push(entry)
      const answer = answers[pathname]
      if (answer) answer(response, entry, origin)
      else response.writeHead(404).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, seen, close: () => closeServer(server) }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

export const redirect =
  (location: string | ((origin: string) => string), status = 302): Answer =>
  (response, _, origin) => {
    response.writeHead(status, { location: typeof location === 'string' ? location : location(origin) }).end('moved')
  }

/** Announces 1000 bytes, sends a few, and disconnects. */
export const truncated: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"results": [', () => response.destroy())
}

/** Reads the request and disconnects. */
export const reset: Answer = (response) => void response.socket?.resetAndDestroy()

/** Starts a response that never ends. */
export const stalled: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"results": [')
}

/** Never responds. */
export const silent: Answer = () => {}

/** Sends until the client disconnects. */
export const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  const more = (): void => {
    if (!response.destroyed) response.write('x'.repeat(64 * 1024), () => setImmediate(more))
  }
  more()
}
