import { isInitializeRequest, type JSONRPCMessage, type JSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js'
import { required } from '../../errors/required.js'
import { systemHost } from '../../host.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { checkCount } from './check-count.js'
import { closingAfter } from './close-after-response.js'
import { allInUse, CLOSED, idOf, noSession, notAllowed, notBegun, refuse, unknownSession } from './http-errors.js'
import { type HttpServer, startHttpServer } from './http-server.js'
import {
  envelopeProblem,
  headerProblem,
  isModern,
  isModernHeader,
  MODERN_VERSION,
  methodProblem,
  versionProblem,
} from './modern-protocol.js'
import { type McpConnection, refuseSender } from './origin-check.js'
import { BATCH_VERSION } from './parse-message.js'
import { type Closing, type ReadLimits, readMessage, readMessages } from './read-message.js'
import { refusalOf } from './request-gate.js'
import { checkServerOptions, type McpServerOptions } from './server.js'
import { Sessions } from './sessions.js'

/** Options of the MCP server over HTTP. */
export interface McpHandlerOptions extends McpServerOptions {
  /**
   * Allowed origins of web pages, such as `https://app.example`; `*` allows all. Default: none. Requests with an `Origin` header then get
   * 403, so that no web page reaches a server on its visitor's machine. The host application sets CORS headers itself.
   */
  readonly origins?: readonly string[]
  /**
   * Allowed host names of this server, without ports, such as `app.example`; `*` allows all. Requests for other hosts get 403. Default:
   * all; but over loopback through `toNodeListener` only `localhost`, `127.0.0.1` and `[::1]`, as a protection against DNS rebinding. If a
   * proxy on the same machine forwards the original host name, list that name here.
   */
  readonly hosts?: readonly string[]
  /**
   * Default true: each client has a session in memory, with cancellation, subscriptions and messages between calls. False: every request is
   * independent. Clients then survive a restart of the server, and a call ends when its connection ends.
   */
  readonly sessions?: boolean
  /**
   * Maximum number of sessions; default 100. At the limit, a new session ends an idle session: one whose client never sent a second
   * request, or else the one that was unused for the longest time. Sessions with a running call or an open response are not idle. If no
   * session can end, the new client gets 503. While other sessions start, only sessions without a second request can end. The client of an
   * ended session gets 404 and starts again.
   */
  readonly maxSessions?: number
  /** Milliseconds without use after which a session ends; default 30 minutes. */
  readonly idleMs?: number
  /** Maximum bytes of a request body; larger requests get 413. Default 4 MiB. */
  readonly maxBodyBytes?: number
  /** Milliseconds for a request body to arrive; slower requests get 408. Default 30 seconds. */
  readonly bodyMs?: number
}

/** One runtime for all clients, or a function that creates a runtime for each session (without sessions: for each request). */
export type McpRuntimes = ToolRuntime | ((request: Request) => ToolRuntime | Promise<ToolRuntime>)

/** Handles requests of streamable HTTP. The host must authenticate clients first. */
export interface McpHandler {
  /** `toNodeListener` passes `connection`. Rejects only if the function that provides runtimes rejects. */
  (request: Request, connection?: McpConnection): Promise<Response>
  /**
   * Ends all sessions and streams, aborts their calls and waits until the calls have ended. Later requests get 503. Disposes runtimes that
   * a function provided, and rejects with the first error of a disposal. Does not dispose a runtime that was passed directly. Idempotent.
   */
  close(): Promise<void>
}

/**
 * Creates an MCP server over streamable HTTP as a handler of standard requests, for Node, Workers and every other runtime with `Request`
 * and `Response`.
 *
 * One runtime is one trust domain: all clients share its files, its shell and its background sessions. An HTTP session separates
 * connections, not people. For clients that do not trust each other pass a function. The handler calls it for each new session, with the
 * first request, and disposes the returned runtime, so it must return a new runtime each time.
 *
 * @throws {RangeError} for sizes and times that are not positive integers
 */
export function createMcpHandler(runtimes: McpRuntimes, options: McpHandlerOptions = {}): McpHandler {
  if (typeof runtimes !== 'function')
    required('createMcpHandler', 'a ToolRuntime, or a function that makes one', runtimes, 'getModelManifest')
  const handler = new Handler(runtimes, options)
  return Object.assign((request: Request, connection?: McpConnection) => handler.handle(request, connection), {
    close: () => handler.close(),
  })
}

const MAX_SESSIONS = 100
const IDLE_MS = 30 * 60 * 1000
const MAX_BODY_BYTES = 4 * 1024 * 1024
const BODY_MS = 30_000

/** The implementation of `createMcpHandler`. */
export class Handler {
  readonly #runtimes: McpRuntimes
  readonly #options: McpHandlerOptions
  readonly #limits: ReadLimits
  readonly #sessions: Sessions
  readonly #closing: Closing = { begun: false, stops: new Set() }
  /** Servers of sessions and of single requests. */
  readonly #servers = new Set<HttpServer>()
  readonly #handling = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined

  constructor(runtimes: McpRuntimes, options: McpHandlerOptions) {
    const { maxSessions = MAX_SESSIONS, idleMs = IDLE_MS, maxBodyBytes = MAX_BODY_BYTES, bodyMs = BODY_MS } = options
    for (const [name, value] of Object.entries({ maxSessions, idleMs, maxBodyBytes, bodyMs })) checkCount(name, value)
    checkServerOptions(options)
    const host = typeof runtimes === 'function' ? systemHost : runtimes.workspace.host
    this.#runtimes = runtimes
    this.#options = options
    this.#limits = { maxBytes: maxBodyBytes, ms: bodyMs, host, closing: this.#closing }
    this.#sessions = new Sessions({ max: maxSessions, idleMs, host })
  }

  async handle(request: Request, connection: McpConnection | undefined): Promise<Response> {
    if (this.#closed) return refuse(CLOSED)
    const { origins = [], hosts } = this.#options
    const refusal = refuseSender(request, { origins, hosts }, connection)
    if (refusal) return refusal
    const answer = this.#answer(request)
    this.#handling.add(answer)
    try {
      return await answer
    } finally {
      this.#handling.delete(answer)
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#closing.begun = true
    for (const stop of this.#closing.stops) stop()
    const first = this.#endServers()
    await Promise.allSettled(this.#handling)
    this.#sessions.clear()
    // Another server may have started meanwhile.
    const ended = [...(await first), ...(await this.#endServers())]
    const failed = ended.find(({ status }) => status === 'rejected')
    if (failed) throw (failed as PromiseRejectedResult).reason
  }

  #endServers(): Promise<PromiseSettledResult<void>[]> {
    return Promise.allSettled([...this.#servers].map((server) => server.close()))
  }

  #answer(request: Request): Promise<Response> {
    if (isModernHeader(request.headers.get('mcp-protocol-version'))) return this.#modern(request)
    if (this.#options.sessions === false) return this.#once(request)
    const id = request.headers.get('mcp-session-id')
    return id === null ? this.#begin(request) : this.#inSession(id, request)
  }

  /** Handles a request of the protocol version 2026-07-28, which has no sessions. */
  async #modern(request: Request): Promise<Response> {
    if (request.method !== 'POST') return notAllowed('POST')
    const message = await readMessage(request, this.#limits, MODERN_VERSION)
    if (message instanceof Response) return message
    if (!('method' in message && 'id' in message)) return new Response(null, { status: 202 })
    const refusal = refuseModern(request.headers, message, this.#options)
    if (refusal) return refusal
    // The transport of the SDK supports only earlier protocols.
    const headers = new Headers(request.headers)
    headers.delete('mcp-protocol-version')
    headers.delete('mcp-session-id')
    return this.#serveOnce(new Request(request.url, { method: 'POST', headers, signal: request.signal }), [message], request)
  }

  async #once(request: Request): Promise<Response> {
    if (request.method !== 'POST') return notAllowed('POST')
    const messages = await readMessages(request, this.#limits, request.headers.get('mcp-protocol-version') ?? BATCH_VERSION)
    if (messages instanceof Response) return messages
    for (const message of messages) {
      if ('method' in message && 'id' in message && isModern(message))
        return refuseModern(request.headers, message, this.#options) ?? unknownSession()
    }
    return this.#serveOnce(request, messages)
  }

  async #serveOnce(request: Request, messages: readonly JSONRPCMessage[], original: Request = request): Promise<Response> {
    const server = await this.#start(original, false)
    if (!server) return refuse(CLOSED)
    server.claim(idsOf(messages))
    const close = (): Promise<void> => server.close()
    return closingAfter(await orClose(server, server.transport.handleRequest(request, { parsedBody: messages })), close)
  }

  async #begin(request: Request): Promise<Response> {
    if (request.method === 'GET' || request.method === 'DELETE') return noSession()
    if (request.method !== 'POST') return notAllowed('GET, POST, DELETE')
    const message = await readMessage(request, this.#limits)
    if (message instanceof Response) return message
    if ('method' in message && 'id' in message && isModern(message))
      return refuseModern(request.headers, message, this.#options) ?? unknownSession()
    if (!isInitializeRequest(message)) return notBegun(message)
    if (!this.#sessions.reserve()) return allInUse(message)
    try {
      const server = await this.#start(request)
      if (!server) return refuse(CLOSED)
      server.version = message.params.protocolVersion
      const response = await orClose(server, server.transport.handleRequest(request, { parsedBody: message }))
      const { sessionId } = server.transport
      // The SDK's own checks may still reject the request.
      if (sessionId === undefined) await server.close()
      else this.#sessions.add(sessionId, server)
      return response
    } finally {
      this.#sessions.release()
    }
  }

  async #inSession(id: string, request: Request): Promise<Response> {
    const server = this.#sessions.use(id)
    if (!server) return unknownSession()
    if (request.method === 'POST') return this.#post(id, server, request)
    const response = await server.transport.handleRequest(request)
    if (!response.ok) return response
    if (request.method === 'DELETE') this.#sessions.end(id)
    if (request.method === 'GET' && this.#options.onRoots) server.mcp.roots().catch(() => {})
    return this.#sessions.follow(id, response)
  }

  async #post(id: string, server: HttpServer, request: Request): Promise<Response> {
    const messages = await readMessages(request, this.#limits, server.version)
    if (messages instanceof Response) return messages
    // The session may have ended meanwhile.
    if (this.#sessions.use(id) !== server) return unknownSession()
    const ids = idsOf(messages)
    const handle = (): Promise<Response> => server.transport.handleRequest(request, { parsedBody: messages })
    if (ids.length === 0) return handle()
    const taken = server.claim(ids)
    if (taken !== undefined) return Response.json(refusalOf(taken), { status: 400 })
    try {
      return this.#sessions.follow(id, await handle())
    } finally {
      server.unclaim(ids)
    }
  }

  /** Starts a server. If the handler was closed meanwhile, disposes a runtime that a function provided, and returns undefined. */
  async #start(request: Request, withSession = true): Promise<HttpServer | undefined> {
    const own = typeof this.#runtimes === 'function'
    const runtime = typeof this.#runtimes === 'function' ? await this.#runtimes(request) : this.#runtimes
    const dispose = async (): Promise<void> => {
      if (own) await runtime.dispose()
    }
    if (this.#closing.begun) {
      await dispose()
      return undefined
    }
    const onClose = (): Promise<void> => {
      this.#servers.delete(server)
      return dispose()
    }
    const starting = startHttpServer(runtime, { ...this.#options, withSession, onClose })
    const server = await starting.catch(async (error: unknown) => {
      await dispose().catch(() => {})
      throw error
    })
    this.#servers.add(server)
    return server
  }
}

const idsOf = (messages: readonly JSONRPCMessage[]): readonly RequestId[] => messages.flatMap((message) => idOf(message).id ?? [])

/** Returns the error for an invalid request of the protocol version 2026-07-28. */
function refuseModern(headers: Headers, message: JSONRPCRequest, { resources = true }: McpHandlerOptions): Response | undefined {
  const problem =
    envelopeProblem(message) ?? headerProblem(headers, message) ?? versionProblem(message) ?? methodProblem(message, resources)
  return problem && refuse({ ...problem, id: message.id })
}

/** Awaits the first response of a new server. If the server fails, closes it, because nothing else refers to the server yet. */
async function orClose(server: HttpServer, answer: Promise<Response>): Promise<Response> {
  try {
    return await answer
  } catch (error) {
    await server.close().catch(() => {})
    throw error
  }
}
