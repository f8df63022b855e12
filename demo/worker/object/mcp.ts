import type { ToolRuntime } from 'toolport'
import { createMcpHandler, type McpHandler } from 'toolport/mcp'
import { parseJson, readBody } from '../http/body.js'
import { HttpError } from '../http/errors.js'
import type { Settings } from '../settings.js'
import { IdleStreams } from './idle-streams.js'
import { LostSessions } from './lost-sessions.js'
import type { Place } from './place.js'
import type { RunningCalls } from './running-calls.js'
import { whenRead } from './when-read.js'

/** The front has looked at the origin before; and no page knows the token, whatever name it has made point here. */
const ANYBODY = ['*']
const MAX_SESSIONS = 64
/** Messages of one request. */
const MOST_MESSAGES = 16
/** Bytes of a body that is read without a place, so that a message which cancels a call finds its way where all places are taken. */
const SMALL = 8 * 1024

interface Asked {
  readonly request: Request
  /** Of its body, where that is one. */
  readonly message?: Readonly<Record<string, unknown>>
}

/** The MCP endpoint of a workspace. */
export class McpEndpoint {
  readonly #calls: RunningCalls
  readonly #settings: Settings
  readonly #inSession: McpHandler
  readonly #alone: McpHandler
  readonly #streams = new IdleStreams()
  readonly #lost = new LostSessions()
  #beginning: Promise<unknown> = Promise.resolve()

  constructor(runtime: ToolRuntime, calls: RunningCalls, settings: Settings) {
    const { MAX_BODY_BYTES, BODY_TIMEOUT_MS, MCP_IDLE_MS } = settings
    const options = { origins: ANYBODY, hosts: ANYBODY, maxBodyBytes: MAX_BODY_BYTES, bodyMs: BODY_TIMEOUT_MS }
    this.#calls = calls
    this.#settings = settings
    this.#inSession = createMcpHandler(runtime, { ...options, maxSessions: MAX_SESSIONS, idleMs: MCP_IDLE_MS })
    this.#alone = createMcpHandler(runtime, { ...options, sessions: false })
  }

  /**
   * Sessions are in memory and end with it: at an eviction, or when the object hibernates. A client that goes on with one is served
   * without: it can call, read and cancel, and only misses what needs a session (messages of the server's own). Clients that may begin
   * anew need not, and many do not know how to.
   */
  async answer(request: Request): Promise<Response> {
    const { HEARTBEAT_MS: heartbeatMs } = this.#settings
    if (request.method !== 'POST') return whenRead(await this.#handle({ request }), { done: () => {}, heartbeatMs })
    const isSmall = Number(request.headers.get('content-length') ?? Infinity) <= SMALL
    const place = this.#calls.reserve(isSmall ? 0 : 1, sessionOf(request))
    try {
      const asked = await this.#read(request, place)
      const response = await this.#calls.within(place, () => this.#handle(asked))
      return whenRead(response, { done: () => place.release(), signal: request.signal, heartbeatMs })
    } catch (error) {
      place.release()
      throw error
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#inSession.close(), this.#alone.close()])
  }

  async #handle(asked: Asked): Promise<Response> {
    const { request } = asked
    const session = sessionOf(request)
    if (session === null) return this.#begin(request)
    this.#streams.use(session)
    const response = await this.#inSession(request.clone())
    if (response.status === 404) return this.#handleLost(session, asked)
    return request.method === 'GET' ? this.#streams.add(session, response) : response
  }

  async #handleLost(session: string, { request, message }: Asked): Promise<Response> {
    if (message?.method === 'notifications/cancelled' && isRecord(message.params))
      await this.#lost.cancel(session, message.params.requestId)
    const response = await this.#alone(request)
    return message?.id === undefined ? response : this.#lost.add(session, message.id, response)
  }

  /** One after another: of those that begin at once each would find the places of the others taken, and end one more. */
  #begin(request: Request): Promise<Response> {
    const begun = this.#beginning.then(() => this.#beginNext(request))
    this.#beginning = begun.catch(() => {})
    return begun
  }

  /** A session; where there are no more of them, in the place of the one that is idle for longest. */
  async #beginNext(request: Request): Promise<Response> {
    const response = await this.#inSession(request.clone())
    if (response.status !== 503) return response
    const hasEnded = await this.#streams.endIdlest((session) => !this.#calls.worksFor(session))
    return hasEnded ? this.#inSession(request) : response
  }

  /** With its body read, under our own limits, and room for its calls. */
  async #read(request: Request, place: Place): Promise<Asked> {
    const bytes = await readBody(request, this.#settings)
    const message = parseJson(bytes)
    const messages = Array.isArray(message) ? message : [message]
    if (messages.length > MOST_MESSAGES) throw new HttpError(413, 'batch_too_large', `A request may have ${MOST_MESSAGES} messages`)
    const calls = messages.filter(isCall).length
    if (calls > place.reserved) this.#calls.resize(place, calls)
    const whole = new Request(request.url, { method: request.method, headers: request.headers, body: bytes })
    return { request: whole, ...(isRecord(message) && { message }) }
  }
}

const sessionOf = ({ headers }: Request): string | null => headers.get('mcp-session-id')

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCall = (message: unknown): boolean => isRecord(message) && message.method === 'tools/call'
