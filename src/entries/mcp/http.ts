import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { checkCount } from './check-count.js'
import { closingAfter } from './closing-after.js'
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
  /** With one more, the one that was longest unused ends; its client gets 404 and begins anew. Default 100. */
  readonly maxSessions?: number
  /** Sessions unused for longer end when another one begins; milliseconds, default 30 minutes. */
  readonly idleMs?: number
  /** Of a request; larger ones get 413. Default 4 MiB. */
  readonly maxBodyBytes?: number
}

/** Answers requests of streamable HTTP. Who may ask is for the host to check before. */
export interface McpHandler {
  (request: Request): Promise<Response>
  /** Ends all sessions and aborts their calls. The runtime stays. */
  close(): Promise<void>
}

interface Session {
  readonly server: McpServer
  readonly transport: WebStandardStreamableHTTPServerTransport
  used: number
}

const MAX_SESSIONS = 100
const IDLE_MS = 30 * 60 * 1000
const MAX_BODY_BYTES = 4 * 1024 * 1024

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
  // What is wrong with the options shall be said now.
  createMcpServer(runtime, options)

  const open = async (): Promise<Session> => {
    const server = createMcpServer(runtime, options)
    const transport: Session['transport'] = new WebStandardStreamableHTTPServerTransport({
      maxRequestBodySize: maxBodyBytes,
      ...(options.sessions !== false && {
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id: string): void => keep(id, session),
      }),
    })
    const session: Session = { server, transport, used: host.now() }
    await server.connect(transport)
    return session
  }
  const keep = (id: string, session: Session): void => {
    touch(id, session)
    for (const [other, { server, used }] of sessions) {
      if (sessions.size <= maxSessions && host.now() - used <= idleMs) break
      sessions.delete(other)
      void server.close()
    }
  }
  const touch = (id: string, session: Session): void => {
    session.used = host.now()
    sessions.delete(id)
    sessions.set(id, session)
  }
  const inSession = async (id: string, request: Request): Promise<Response> => {
    const session = sessions.get(id)
    if (!session) return refuse(404, -32001, 'There is no such session: begin anew with "initialize"')
    touch(id, session)
    const response = await session.transport.handleRequest(request)
    if (request.method === 'DELETE' && response.ok) sessions.delete(id)
    if (request.method === 'GET' && response.ok && options.onRoots) session.server.roots().catch(() => {})
    return response
  }
  const beginSession = async (request: Request): Promise<Response> => {
    const { server, transport } = await open()
    const response = await transport.handleRequest(request)
    // It was no "initialize", and the response says so.
    if (transport.sessionId === undefined) await server.close()
    return response
  }
  const once = async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return refuse(405, -32000, 'There are no sessions here: use POST', { allow: 'POST' })
    const { server, transport } = await open()
    return closingAfter(await transport.handleRequest(request), () => server.close())
  }

  const handle = async (request: Request): Promise<Response> => {
    const origin = request.headers.get('origin')
    if (origin !== null && !origins.includes('*') && !origins.includes(origin)) {
      return refuse(403, -32000, 'This origin may not ask: the host has to name it in "origins"')
    }
    if (options.sessions === false) return once(request)
    const id = request.headers.get('mcp-session-id')
    return id === null ? beginSession(request) : inSession(id, request)
  }
  const close = async (): Promise<void> => {
    const all = [...sessions.values()]
    sessions.clear()
    await Promise.all(all.map(({ server }) => server.close()))
  }
  return Object.assign(handle, { close })
}

function refuse(status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })
  return new Response(body, { status, headers: { ...headers, 'content-type': 'application/json' } })
}
