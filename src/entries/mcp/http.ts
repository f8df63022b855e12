import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { checkCount } from './check-count.js'
import { closingAfter } from './closing-after.js'
import { BodyTooLarge, readBody } from './read-body.js'
import { createMcpServer, type McpServer, type McpServerOptions } from './server.js'

export interface McpHandlerOptions extends McpServerOptions {
  /**
   * Origins of web pages that may ask (`https://app.example`); `*` stands for all. Default none: a request that says where its page is
   * from gets 403, so that no page reaches a server on its visitor's machine. CORS headers are the host's affair.
   */
  readonly origins?: readonly string[]
  /**
   * Default true: each client has a session in memory, and with it cancellation, subscriptions and messages between calls. False: every
   * request stands for itself; a client's calls survive a restart of the server, and end with the connection that asked.
   */
  readonly sessions?: boolean
  /**
   * With one more, the one that was longest unused ends; its client gets 404 and begins anew. Those with an open response do not: where
   * all have one, the new one gets 503. Default 100.
   */
  readonly maxSessions?: number
  /** Sessions without an open response that are unused for longer end when another one begins; milliseconds, default 30 minutes. */
  readonly idleMs?: number
  /** Of a request; larger ones get 413. Default 4 MiB. */
  readonly maxBodyBytes?: number
}

/** Answers requests of streamable HTTP. Who may ask is for the host to check before. */
export interface McpHandler {
  (request: Request): Promise<Response>
  /** Ends all sessions and aborts all calls; requests get 503 from then on. The runtime stays. */
  close(): Promise<void>
}

interface Session {
  readonly server: McpServer
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Of those that are being made or read. */
  responses: number
  used: number
}

const MAX_SESSIONS = 100
const IDLE_MS = 30 * 60 * 1000
const MAX_BODY_BYTES = 4 * 1024 * 1024
const HAS_ENDED = 'The server has ended'
const NOT_BEGUN = 'There is no session yet: begin with "initialize", alone'

/**
 * MCP over streamable HTTP as a handler of standard requests, for Node, Workers and whatever else has `Request` and `Response`.
 *
 * @throws {RangeError} for sizes that are no whole numbers from 1 up
 */
export function createMcpHandler(runtime: ToolRuntime, options: McpHandlerOptions = {}): McpHandler {
  const { origins = [], maxSessions = MAX_SESSIONS, idleMs = IDLE_MS, maxBodyBytes = MAX_BODY_BYTES } = options
  checkCount('maxSessions', maxSessions)
  checkCount('idleMs', idleMs)
  checkCount('maxBodyBytes', maxBodyBytes)
  const { host } = runtime.workspace
  // In the order of their last use.
  const sessions = new Map<string, Session>()
  // Those that have no id yet, or never will.
  const others = new Set<Session>()
  let ended = false
  // What is wrong with the options shall be said now.
  createMcpServer(runtime, options)

  const newSession = (): Session => {
    const server = createMcpServer(runtime, options)
    const transport: Session['transport'] = new WebStandardStreamableHTTPServerTransport({
      maxRequestBodySize: maxBodyBytes,
      ...(options.sessions !== false && {
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id: string): void => keep(id, session),
      }),
    })
    const session: Session = { server, transport, responses: 0, used: host.now() }
    others.add(session)
    return session
  }
  const keep = (id: string, session: Session): void => {
    others.delete(session)
    sessions.set(id, session)
  }
  const end = async (session: Session): Promise<void> => {
    others.delete(session)
    await session.server.close()
  }
  const touch = (session: Session): void => {
    const id = session.transport.sessionId
    if (id === undefined || sessions.get(id) !== session) return
    session.used = host.now()
    sessions.delete(id)
    sessions.set(id, session)
  }
  /** Ends sessions that nobody uses. Whether there is room for one more then. */
  const makeRoom = (): boolean => {
    const isFull = (): boolean => sessions.size + others.size >= maxSessions
    for (const [id, session] of sessions) {
      if (session.responses > 0) continue
      if (!isFull() && host.now() - session.used <= idleMs) break
      sessions.delete(id)
      void session.server.close()
    }
    return !isFull()
  }

  /** The session is in use until its response has been read. */
  const answer = async (session: Session, request: Request, body?: unknown): Promise<Response> => {
    const done = async (): Promise<void> => {
      session.responses--
      touch(session)
    }
    session.responses++
    touch(session)
    try {
      return closingAfter(await session.transport.handleRequest(request, { parsedBody: body }), done)
    } catch (error) {
      await done()
      throw error
    }
  }
  const inSession = async (id: string, request: Request): Promise<Response> => {
    const session = sessions.get(id)
    if (!session) return refuse(404, -32001, 'There is no such session: begin anew with "initialize"')
    const response = await answer(session, request)
    if (request.method === 'DELETE' && response.ok) sessions.delete(id)
    if (request.method === 'GET' && response.ok && options.onRoots) session.server.roots().catch(() => {})
    return response
  }
  const beginSession = async (request: Request, body: unknown): Promise<Response> => {
    if (!isInitializeRequest(sole(body))) return refuse(400, -32000, NOT_BEGUN)
    if (!makeRoom()) return refuse(503, -32000, 'There are too many sessions, and all are in use: ask again later')
    const session = newSession()
    try {
      await session.server.connect(session.transport)
      return await answer(session, request, body)
    } finally {
      // Not begun, and the response says why.
      if (others.has(session)) await end(session)
    }
  }
  const once = async (request: Request, body: unknown): Promise<Response> => {
    const session = newSession()
    try {
      await session.server.connect(session.transport)
      return closingAfter(await session.transport.handleRequest(request, { parsedBody: body }), () => end(session))
    } catch (error) {
      await end(session)
      throw error
    }
  }
  /** Nothing stands behind the request until it is here as a whole. */
  const withoutSession = async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') {
      if (options.sessions !== false && ['GET', 'DELETE'].includes(request.method)) return refuse(400, -32000, NOT_BEGUN)
      return refuse(405, -32000, 'There is no session: use POST', { allow: 'POST' })
    }
    let body: unknown
    try {
      body = await readBody(request, maxBodyBytes)
    } catch (error) {
      if (error instanceof BodyTooLarge) return refuse(413, -32000, `The body is larger than ${maxBodyBytes} bytes`)
      return refuse(400, -32700, 'The body is not JSON')
    }
    if (ended) return refuse(503, -32000, HAS_ENDED)
    return options.sessions === false ? once(request, body) : beginSession(request, body)
  }

  const handle = async (request: Request): Promise<Response> => {
    if (ended) return refuse(503, -32000, HAS_ENDED)
    const origin = request.headers.get('origin')
    if (origin !== null && !origins.includes('*') && !origins.includes(origin)) {
      return refuse(403, -32000, 'This origin may not ask: the host has to name it in "origins"')
    }
    const id = options.sessions === false ? null : request.headers.get('mcp-session-id')
    return id === null ? withoutSession(request) : inSession(id, request)
  }
  const close = async (): Promise<void> => {
    ended = true
    const all = [...sessions.values(), ...others]
    sessions.clear()
    await Promise.all(all.map(end))
  }
  return Object.assign(handle, { close })
}

/** Of a batch of one, too. */
function sole(body: unknown): unknown {
  return Array.isArray(body) && body.length === 1 ? body[0] : body
}

function refuse(status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })
  return new Response(body, { status, headers: { ...headers, 'content-type': 'application/json' } })
}
