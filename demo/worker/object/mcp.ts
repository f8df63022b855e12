import type { ToolRuntime } from 'toolport'
import { createMcpHandler, type McpHandler } from 'toolport/mcp'
import { parseJson, readBody } from '../http/body.js'
import { HttpError } from '../http/errors.js'
import type { Settings } from '../settings.js'
import type { RunningCalls } from './running-calls.js'

/** The front has looked at the origin before. */
const ORIGINS = ['*']
const MAX_SESSIONS = 64
/** Messages of one request. */
const MOST_MESSAGES = 16

/** The MCP endpoint of a workspace. */
export class McpEndpoint {
  readonly #calls: RunningCalls
  readonly #settings: Settings
  readonly #inSession: McpHandler
  readonly #alone: McpHandler

  constructor(runtime: ToolRuntime, calls: RunningCalls, settings: Settings) {
    const options = { origins: ORIGINS, maxBodyBytes: settings.MAX_BODY_BYTES }
    this.#calls = calls
    this.#settings = settings
    this.#inSession = createMcpHandler(runtime, { ...options, maxSessions: MAX_SESSIONS })
    this.#alone = createMcpHandler(runtime, { ...options, sessions: false })
  }

  /**
   * Sessions are in memory and end with it: at an eviction, or when the object hibernates. A client that goes on with one is served
   * without: it can call and read, and only misses what needs a session (messages of the server's own, cancelling by a message). Clients
   * that may begin anew need not, and many do not know how to.
   */
  async answer(request: Request): Promise<Response> {
    const whole = request.method === 'POST' ? await this.#read(request) : request
    if (!request.headers.has('mcp-session-id')) return this.#inSession(whole)
    const response = await this.#inSession(whole.clone())
    return response.status === 404 ? this.#alone(whole) : response
  }

  async close(): Promise<void> {
    await Promise.all([this.#inSession.close(), this.#alone.close()])
  }

  /** With its body read, under our own limits. */
  async #read(request: Request): Promise<Request> {
    const bytes = await readBody(request, this.#settings)
    const message = parseJson(bytes)
    const count = Array.isArray(message) ? message.length : 1
    if (count > MOST_MESSAGES) throw new HttpError(413, 'batch_too_large', `A request may have ${MOST_MESSAGES} messages`)
    const calls = (Array.isArray(message) ? message : [message]).filter(isCall).length
    if (calls > 0) this.#calls.checkRoom(calls)
    return new Request(request.url, { method: request.method, headers: request.headers, body: bytes })
  }
}

const isCall = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'method' in message && message.method === 'tools/call'
