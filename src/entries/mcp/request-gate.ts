import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ClientRequestSchema,
  ErrorCode,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { describeIssues, type RawIssue } from '../../core/input-issues.js'
import { isModern, methodProblem } from './modern-protocol.js'

export interface RequestGateOptions {
  /** Called for each open request that its client cancels. No response will be sent. */
  readonly onCancel?: (id: RequestId) => void
}

/**
 * Wraps a transport and renumbers its requests. The SDK stores requests under the client's ids, so a duplicate id would replace an open
 * request, which could then no longer be cancelled. The gate rejects duplicates, and drops responses to cancelled requests.
 */
export class RequestGate implements Transport {
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #inner: Transport
  readonly #onCancel: (id: RequestId) => void
  readonly #numbers = new Map<RequestId, number>()
  readonly #ids = new Map<number, RequestId>()
  #last = 0
  #sending = 0
  #onIdle = (): void => {}

  constructor(inner: Transport, { onCancel = () => {} }: RequestGateOptions = {}) {
    this.#inner = inner
    this.#onCancel = onCancel
  }

  // Not `string | undefined`, although there may be no session: with `exactOptionalPropertyTypes`, a getter of that type cannot implement
  // the interface's optional property.
  get sessionId(): string {
    return this.#inner.sessionId as string
  }

  /** Number of requests that are neither answered nor cancelled. */
  get open(): number {
    return this.#numbers.size
  }

  isOpen(id: RequestId): boolean {
    return this.#numbers.has(id)
  }

  /** Returns the client's id of a request, by the number that the gate gave the request. */
  idOf(number: RequestId): RequestId | undefined {
    return this.#ids.get(number as number)
  }

  /** Resolves when all requests are answered, or after `ms`. */
  answered(ms: number): Promise<void> {
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => {
      const late = setTimeout(resolve, ms)
      this.#onIdle = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }

  /** Aborts all open requests, awaits `stop`, and then answers the requests with an error. `stop` ends the work of the requests. */
  async refuse(message: string, stop: () => Promise<void>): Promise<void> {
    for (const requestId of [...this.#ids.keys()]) {
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: message } })
    }
    try {
      await stop()
    } finally {
      for (const [number, id] of this.#ids) {
        this.#forget(number, id)
        // Not awaited, because the promise never settles if nobody reads.
        void this.#inner.send({ jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } })
      }
    }
  }

  async start(): Promise<void> {
    const inner = this.#inner
    const { onclose, onerror } = inner
    inner.onmessage = (message, extra) => this.#receive(message, extra)
    inner.onerror = (error) => {
      onerror?.(error)
      this.onerror?.(error)
    }
    inner.onclose = () => {
      onclose?.()
      this.#numbers.clear()
      this.#ids.clear()
      this.onclose?.()
    }
    await inner.start()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#answer(message)
    const { relatedRequestId } = options ?? {}
    if (relatedRequestId === undefined) return this.#inner.send(message, options)
    const id = this.#ids.get(relatedRequestId as number)
    // Send a message that belongs to a request with the request's original id.
    if (id !== undefined) await this.#inner.send(message, { ...options, relatedRequestId: id })
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version)
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (!('method' in message)) this.onmessage?.(message, extra)
    else if ('id' in message) this.#receiveRequest(message, extra)
    else if (message.method === 'notifications/cancelled') this.#receiveCancellation(message, extra)
    else this.onmessage?.(message, extra)
  }

  #receiveRequest(request: JSONRPCRequest, extra: MessageExtraInfo | undefined): void {
    const refusal = this.isOpen(request.id) ? refusalOf(request.id) : problemOf(request)
    if (refusal) {
      this.#inner.send(refusal).catch((error: unknown) => this.onerror?.(error as Error))
      return
    }
    const number = ++this.#last
    this.#numbers.set(request.id, number)
    this.#ids.set(number, request.id)
    this.onmessage?.({ ...request, id: number }, extra)
  }

  #receiveCancellation(message: JSONRPCNotification, extra: MessageExtraInfo | undefined): void {
    const id = message.params?.requestId as RequestId
    const number = this.#numbers.get(id)
    // The request was answered meanwhile.
    if (number === undefined) return
    this.#forget(number, id)
    this.onmessage?.({ ...message, params: { ...message.params, requestId: number } }, extra)
    this.#onCancel(id)
    if (this.#isIdle()) this.#onIdle()
  }

  async #answer(message: Exclude<JSONRPCMessage, { method: string }>): Promise<void> {
    const number = message.id as number
    const id = this.#ids.get(number)
    if (id === undefined) return
    this.#forget(number, id)
    this.#sending++
    try {
      await this.#inner.send({ ...message, id })
    } finally {
      this.#sending--
      if (this.#isIdle()) this.#onIdle()
    }
  }

  #forget(number: number, id: RequestId): void {
    this.#ids.delete(number)
    this.#numbers.delete(id)
  }

  #isIdle(): boolean {
    return this.open === 0 && this.#sending === 0
  }
}

/** Returns the problems of a message on one line, each with the name of its parameter. */
export const listIssues = (issues: readonly RawIssue[], message: object): string =>
  describeIssues(issues, message, {})
    .map((issue) => `"${issue.path}": ${issue.message}`)
    .join('; ')

/** Returns the error for a request whose id an open request has. */
export function refusalOf(id: RequestId): JSONRPCErrorResponse {
  const shown = JSON.stringify(id).slice(0, 100)
  const message = `Cannot take a request with the id ${shown}: a request with this id is open. Give each request an id of its own.`
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidRequest, message } }
}

const SCHEMAS = new Map(ClientRequestSchema.options.map((schema) => [schema.shape.method.value as string, schema]))

/**
 * Returns the error for a request with invalid parameters; undefined for a valid request. Without this check, the SDK would send a dump of
 * its validator.
 */
function problemOf(request: JSONRPCRequest): JSONRPCErrorResponse | undefined {
  const { id, method } = request
  // For an unknown method, the transport sends a more precise error.
  if (isModern(request) && methodProblem(request, true)) return undefined
  const parsed = SCHEMAS.get(method)?.safeParse(request)
  if (!parsed?.error) return undefined
  const message = `Cannot answer "${method}": ${listIssues(parsed.error.issues as readonly RawIssue[], request)}. Correct the parameters and send the request again.`
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidParams, message } }
}
