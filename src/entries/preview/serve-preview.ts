import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { isRecord } from '../../ops/is-record.js'
import type { PreviewEvent, PreviewEventPage } from '../../types/preview.js'
import { clientScript } from './client-script.js'
import { createSession, type PreviewOptions, type PreviewSession } from './session.js'

/** Options of `servePreview`. Only `workspace` is required. */
export interface ServePreviewOptions extends PreviewOptions {
  /** TCP port. Default 0, which chooses a free port. */
  readonly port?: number
  /** The secret in `url`, at least 16 characters. Default: a random one. */
  readonly token?: string
}

/** A server that shows a workspace over HTTP. */
export interface PreviewServer {
  /** The URL to open in a browser. The server stores the token from this URL in a cookie, which every later request needs. */
  readonly url: string
  readonly port: number
  /** Checks immediately for changed files, and reloads open pages if files have changed. */
  refresh(): Promise<void>
  /** Returns the events after a cursor, oldest first. `after` defaults to 0, `limit` to 100. */
  read(options?: { readonly after?: number; readonly limit?: number }): PreviewEventPage
  /** Calls `listener` with each later event. Returns a function that removes the listener. */
  onEvent(listener: (event: PreviewEvent) => void): () => void
  /** Closes the server. Does not dispose the bundler. */
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const SHORTEST_TOKEN = 16
const MOST_BODY = 1024 * 1024
const OWN = '/__toolport/'
const COOKIE = 'toolport-preview-'

/**
 * Serves a workspace to browsers on this machine. The server listens on 127.0.0.1, and answers only requests with the token.
 *
 * @throws {TypeError} without a workspace, and for a token that is too short; the error of `listen`, such as EADDRINUSE
 */
export async function servePreview(options: ServePreviewOptions): Promise<PreviewServer> {
  const { port = 0, token = randomBytes(24).toString('base64url') } = { ...options }
  if (typeof token !== 'string' || !/^[\w-]+$/.test(token) || token.length < SHORTEST_TOKEN) {
    throw new TypeError(`servePreview: "token" must have at least ${SHORTEST_TOKEN} letters, digits, "-" or "_"`)
  }
  const place = { url: '' }
  // A getter, because the address is known only after `listen`.
  const session = createSession('servePreview', options, {
    get url() {
      return place.url
    },
    handler: { base: '/', client: true },
  })
  const server = createServer(
    (request, response) => void answer(session, token, place.url, request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve))
  const bound = (server.address() as AddressInfo).port
  place.url = `http://${HOST}:${bound}/`
  return {
    url: `${place.url}?token=${token}`,
    port: bound,
    refresh: () => session.refresh(),
    read: (range) => session.read(range),
    onEvent: (listener) => session.onEvent(listener),
    async close() {
      session.dispose()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  session: PreviewSession,
  token: string,
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { host, port } = new URL(origin)
  const cookie = COOKIE + port
  // Reject other host names, because DNS rebinding could point them at this server.
  if (![host, `localhost:${port}`].includes(request.headers.host ?? '') || !request.url?.startsWith('/'))
    return refuse(response, 421, 'This host is not served here')
  const url = new URL(origin.slice(0, -1) + request.url)
  if (isToken(url.searchParams.get('token'), token)) {
    url.searchParams.delete('token')
    response.writeHead(302, {
      location: `${url.pathname.replace(/^\/+/, '/')}${url.search}`,
      'set-cookie': `${cookie}=${token}; HttpOnly; SameSite=Strict; Path=/`,
    })
    return void response.end()
  }
  const cookies = request.headers.cookie?.split(/;\s*/) ?? []
  const given = cookies.find((one) => one.startsWith(`${cookie}=`))?.slice(cookie.length + 1)
  if (!isToken(given ?? null, token)) return refuse(response, 403, 'Open the URL with the token that the server printed')
  if (url.pathname === `${OWN}client.js`) {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' })
    return void response.end(clientScript({ base: '/', over: 'http' }))
  }
  if (url.pathname === `${OWN}reports`) return takeReports(session, request, response)
  if (url.pathname === `${OWN}commands`) return sendCommands(session, response)
  const foreign = cookies.filter((one) => !one.startsWith(COOKIE))
  await pass(session, url, foreign, request, response)
}

async function pass(
  session: PreviewSession,
  url: URL,
  cookies: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
  // Pass all cookies except the token to the HTTP program.
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  else headers.delete('cookie')
  const ended = new AbortController()
  response.on('close', () => ended.abort())
  const method = request.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' } : {}
  const answered = await session.handle(new Request(url, { method, headers, signal: ended.signal, ...body } as RequestInit))
  request.resume()
  for (const [name, value] of answered.headers) if (name !== 'set-cookie') response.setHeader(name, value)
  const given = answered.headers.getSetCookie().filter((one) => !one.startsWith(COOKIE))
  if (given.length > 0) response.setHeader('set-cookie', given)
  response.writeHead(answered.status)
  if (method === 'HEAD' || !answered.body) return void response.end()
  await pipeline(Readable.fromWeb(answered.body as NodeReadableStream), response)
}

async function takeReports(session: PreviewSession, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A page of another site can send a form to this server, but cannot change this header.
  const from = request.headers['sec-fetch-site']
  if (request.method !== 'POST' || (from !== undefined && from !== 'same-origin'))
    return refuse(response, 405, 'Reports come from pages of the preview')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BODY) return refuse(response, 413, 'The report is too large')
    chunks.push(chunk)
  }
  try {
    const message: unknown = JSON.parse(Buffer.concat(chunks).toString())
    if (isRecord(message) && Array.isArray(message.reports)) for (const report of message.reports.slice(0, 100)) session.report(report)
  } catch {
    // Ignore invalid JSON: the app can send anything.
  }
  response.writeHead(204).end()
}

/** Sends commands to the page as server-sent events. */
function sendCommands(session: PreviewSession, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': open\n\n')
  const close = session.open((command) => response.write(`data: ${JSON.stringify(command)}\n\n`))
  response.on('close', close)
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }).end(`${text}\n`)
}

function isToken(given: string | null, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
