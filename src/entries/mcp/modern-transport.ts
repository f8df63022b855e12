import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type MessageExtraInfo,
  type RequestId,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js'
import { isRecord } from '../../ops/is-record.js'
import {
  envelopeProblem,
  isModern,
  MODERN_VERSION,
  type ModernProblem,
  methodProblem,
  SERVER_KEY,
  SUBSCRIPTION_KEY,
  versionProblem,
} from './modern-protocol.js'
import type { RequestGate } from './request-gate.js'

/** The server's description of itself. */
export interface ServerIdentity {
  readonly info: { readonly name: string; readonly version: string }
  readonly capabilities: ServerCapabilities
  readonly instructions: string
}

/** Methods whose results the protocol allows clients to cache. These results may change with every call, so caching is disabled. */
const CACHEABLE = new Set(['server/discover', 'tools/list', 'resources/list', 'resources/templates/list', 'resources/read'])
const NOT_CACHED = { ttlMs: 0, cacheScope: 'private' }

interface Listener {
  readonly tools: boolean
  uris: readonly string[]
  /**
   * Notifications that wait for the acknowledgement, because the acknowledgement must be the first message. Undefined after the
   * acknowledgement.
   */
  early: JSONRPCNotification[] | undefined
}

/**
 * Serves requests of the protocol version 2026-07-28 with a server of earlier versions. Answers the new methods itself, and converts
 * results and notifications. Passes messages of earlier versions unchanged.
 */
export class ModernTransport implements Transport {
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #gate: RequestGate
  readonly #identity: ServerIdentity
  readonly #open = new Map<RequestId, JSONRPCRequest>()
  /** Listeners by request id. */
  readonly #listeners = new Map<RequestId, Listener>()
  /**
   * Resolvers of the requests that this transport sends to the server, by request id. The argument is true if the server accepted the
   * request.
   */
  readonly #own = new Map<RequestId, (accepted: boolean) => void>()
  #hasShakenHands = false
  #lastOwn = 0

  constructor(gate: RequestGate, identity: ServerIdentity) {
    this.#gate = gate
    this.#identity = identity
  }

  // Not `string | undefined`, although there may be no session: with `exactOptionalPropertyTypes`, a getter of that type cannot implement
  // the interface's optional property.
  get sessionId(): string {
    return this.#gate.sessionId
  }

  setProtocolVersion(version: string): void {
    this.#gate.setProtocolVersion(version)
  }

  async start(): Promise<void> {
    this.#gate.onmessage = (message, extra) => this.#receive(message, extra)
    this.#gate.onerror = (error) => this.onerror?.(error)
    this.#gate.onclose = () => {
      this.#open.clear()
      this.#listeners.clear()
      this.#own.clear()
      this.onclose?.()
    }
    await this.#gate.start()
  }

  close(): Promise<void> {
    // The result of a subscription request tells the client that the subscription ends. Not awaited, because the client may have stopped reading.
    for (const id of [...this.#listeners.keys()]) this.#send(this.#answer({ jsonrpc: '2.0', id, result: {} }))
    return this.#gate.close()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#answer(message)
    if ('id' in message || options?.relatedRequestId !== undefined) return this.#gate.send(message, options)
    if (this.#hasShakenHands) await this.#gate.send(message, options)
    for (const [id, listener] of [...this.#listeners]) {
      if (!wants(listener, message)) continue
      if (listener.early) listener.early.push(message)
      else await this.#tell(id, message)
    }
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if ('method' in message && message.method === 'notifications/cancelled') this.#forget(message.params?.requestId as RequestId)
    if ('method' in message && 'id' in message && isModern(message)) this.#receiveRequest(message, extra)
    else {
      this.#hasShakenHands ||= 'method' in message && message.method === 'initialize'
      this.onmessage?.(message, extra)
    }
  }

  #receiveRequest(request: JSONRPCRequest, extra: MessageExtraInfo | undefined): void {
    const withFiles = this.#identity.capabilities.resources !== undefined
    const problem = envelopeProblem(request) ?? versionProblem(request) ?? methodProblem(request, withFiles)
    if (problem) {
      this.#send(this.#gate.send({ jsonrpc: '2.0', id: request.id, error: errorOf(problem) }))
      return
    }
    this.#open.set(request.id, request)
    if (request.method === 'server/discover') this.#send(this.#discover(request.id))
    else if (request.method === 'subscriptions/listen') this.#send(this.#listen(request))
    else this.onmessage?.(request, extra)
  }

  #send(sent: Promise<void>): void {
    sent.catch((error: unknown) => this.onerror?.(error as Error))
  }

  #discover(id: RequestId): Promise<void> {
    const { instructions, capabilities } = this.#identity
    return this.#answer({ jsonrpc: '2.0', id, result: { supportedVersions: [MODERN_VERSION], capabilities, instructions } })
  }

  async #listen({ id, params }: JSONRPCRequest): Promise<void> {
    const filter = params?.notifications
    if (!isRecord(filter)) {
      const message = 'Cannot answer "subscriptions/listen": "params.notifications" must be an object. Name what to hear of.'
      return this.#answer({ jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidParams, message } })
    }
    const { resources } = this.#identity.capabilities
    const wanted = resources && Array.isArray(filter.resourceSubscriptions) ? filter.resourceSubscriptions : []
    const uris = [...new Set(wanted.filter((uri) => typeof uri === 'string'))]
    const listener: Listener = { tools: filter.toolsListChanged === true, uris, early: [] }
    this.#listeners.set(id, listener)
    const accepted = await Promise.all(uris.map((uri) => this.#request('resources/subscribe', uri)))
    // The client may have cancelled meanwhile.
    if (this.#listeners.get(id) !== listener) return
    const { tools, early = [] } = listener
    const watched = uris.filter((_, at) => accepted[at])
    const honored = { ...(tools && { toolsListChanged: true }), ...(watched.length > 0 && { resourceSubscriptions: watched }) }
    const method = 'notifications/subscriptions/acknowledged'
    Object.assign(listener, { uris: watched, early: undefined })
    for (const message of [{ jsonrpc: '2.0', method, params: { notifications: honored } } as const, ...early])
      this.#send(this.#tell(id, message))
    if (Object.keys(honored).length === 0) await this.#answer({ jsonrpc: '2.0', id, result: {} })
  }

  /**
   * Sends the server a request of the earlier protocol, which implements a part of the new one. Resolves to whether the server accepted the
   * request.
   */
  #request(method: string, uri: string): Promise<boolean> {
    const id = --this.#lastOwn
    return new Promise((resolve) => {
      this.#own.set(id, resolve)
      this.onmessage?.({ jsonrpc: '2.0', id, method, params: { uri } } as JSONRPCRequest)
    })
  }

  #tell(id: RequestId, { method, params }: JSONRPCNotification): Promise<void> {
    const subscription = this.#gate.idOf(id)
    const stamped = { ...params, _meta: { ...params?._meta, [SUBSCRIPTION_KEY]: subscription } }
    return this.#gate.send({ jsonrpc: '2.0', method, params: stamped }, { relatedRequestId: id })
  }

  async #answer(message: JSONRPCResultResponse | JSONRPCErrorResponse): Promise<void> {
    const { id } = message
    if (typeof id === 'number' && id < 0) {
      this.#own.get(id)?.('result' in message)
      this.#own.delete(id)
      return
    }
    const request = id === undefined ? undefined : this.#open.get(id)
    if (!request) return this.#gate.send(message)
    const subscription = request.method === 'subscriptions/listen' ? this.#gate.idOf(request.id) : undefined
    this.#forget(request.id)
    if ('error' in message) return this.#gate.send({ ...message, error: modernError(message.error, request) })
    const { result } = message
    const meta = {
      ...result._meta,
      [SERVER_KEY]: this.#identity.info,
      ...(subscription !== undefined && { [SUBSCRIPTION_KEY]: subscription }),
    }
    const cache = CACHEABLE.has(request.method) ? NOT_CACHED : {}
    await this.#gate.send({ ...message, result: { resultType: 'complete', ...cache, ...result, _meta: meta } })
  }

  #forget(id: RequestId): void {
    this.#open.delete(id)
    const uris = this.#listeners.get(id)?.uris ?? []
    this.#listeners.delete(id)
    const others = [...this.#listeners.values()].flatMap((listener) => listener.uris)
    for (const uri of uris) if (!others.includes(uri)) void this.#request('resources/unsubscribe', uri)
  }
}

const errorOf = ({ code, message, data }: ModernProblem) => ({ code, message, ...(data !== undefined && { data }) })

function wants({ tools, uris }: Listener, { method, params }: JSONRPCNotification): boolean {
  if (method === 'notifications/tools/list_changed') return tools
  return method === 'notifications/resources/updated' && uris.includes(String(params?.uri))
}

const RESOURCE_NOT_FOUND = -32002

/** Converts an error. In the new protocol, a missing resource is an invalid parameter, and the error names the resource. */
function modernError(error: JSONRPCErrorResponse['error'], { method, params }: JSONRPCRequest): JSONRPCErrorResponse['error'] {
  const code = error.code === RESOURCE_NOT_FOUND ? ErrorCode.InvalidParams : error.code
  return { ...error, code, ...(method === 'resources/read' && { data: { uri: params?.uri } }) }
}
