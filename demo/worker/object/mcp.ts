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

/** Every origin and host is allowed: the front has checked the origin, and a page that uses DNS rebinding does not know the token. */
const ANYBODY = ['*']
const MAX_SESSIONS = 64
/** Maximum number of messages per request. */
const MOST_MESSAGES = 16
/**
 * Bodies up to this size, in bytes, are read without a reserved place, so that a message that cancels a call arrives even when all places
 * are taken.
 */
const SMALL = 8 * 1024

interface Asked {
  readonly request: Request
  /** The parsed body, if the body is a single message. */
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
   * Sessions exist in memory only and end when the object is evicted or hibernates. A client with a lost session is served without one: the
   * client can call, read and cancel, but receives no server messages. This helps the many clients that cannot start a new session.
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

  /** Starts sessions one at a time: concurrent starts would each find no room, and each would end an idle session. */
  #begin(request: Request): Promise<Response> {
    const begun = this.#beginning.then(() => this.#beginNext(request))
    this.#beginning = begun.catch(() => {})
    return begun
  }

  /** Starts a session. If all sessions are taken, the longest idle session ends to make room. */
  async #beginNext(request: Request): Promise<Response> {
    const response = await this.#inSession(request.clone())
    if (response.status !== 503) return response
    const hasEnded = await this.#streams.endIdlest((session) => !this.#calls.worksFor(session))
    return hasEnded ? this.#inSession(request) : response
  }

  /** Reads the body under our own limits and reserves room for its calls. */
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
