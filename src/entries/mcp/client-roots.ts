import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  isInitializeRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  SetLevelRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { isModern } from './modern-protocol.js'
import { capabilitiesOf, listRoots, type McpRoot, type McpServerOptions } from './server.js'

export interface AskOptions extends McpServerOptions {
  /** Aborts when the client sends nothing more. */
  readonly ended: AbortSignal
  readonly onError?: ((error: Error) => void) | undefined
}

const INSTRUCTIONS =
  'The tools work on the files below the roots of the client. Paths are absolute or relative to the root. With several roots, each path begins with the name of its root.'

/**
 * Performs the handshake with a client and asks for its roots, before the server is created. Returns undefined if the client disconnects
 * first. `roots` is undefined if the client does not support roots, or sends no valid response.
 */
export async function askRoots(
  connection: ClientConnection,
  options: AskOptions,
): Promise<{ readonly roots: readonly McpRoot[] | undefined } | undefined> {
  const { name = 'toolport', version = '0', instructions = INSTRUCTIONS, ended, onError } = options
  const greeter = new Server({ name, version }, { capabilities: capabilitiesOf(options), instructions })
  if (onError) greeter.onerror = onError
  const over = new Promise<undefined>((resolve) => {
    const end = (): void => resolve(undefined)
    if (ended.aborted) end()
    else ended.addEventListener('abort', end, { once: true })
  })
  const begun = new Promise<void>((resolve) => {
    greeter.oninitialized = resolve
  })
  await greeter.connect(connection.link())
  await connection.start()
  return Promise.race([begun.then(async () => ({ roots: await rootsOf(greeter) })), over])
}

async function rootsOf(greeter: Server): Promise<readonly McpRoot[] | undefined> {
  if (!greeter.getClientCapabilities()?.roots) return undefined
  return listRoots(greeter).catch(() => undefined)
}

const NO_MODERN = {
  code: ErrorCode.MethodNotFound,
  message: 'Cannot answer before "initialize": the server serves the roots of the client',
}
const GONE = 'The client disconnected before the server opened its roots'
/** Messages that go to the server immediately, even while requests wait. */
const AT_ONCE = ['ping', 'notifications/initialized', 'notifications/cancelled']

/**
 * The connection to one client, for one server after another. Each server gets the client's handshake and log level again. Requests wait
 * until a server works in the client's current roots.
 */
export class ClientConnection {
  readonly #inner: Transport
  readonly #onClose: () => void
  readonly #waiting: JSONRPCMessage[] = []
  #initialize: JSONRPCRequest | undefined
  #setLevel: JSONRPCRequest | undefined
  #link: ServerTransport | undefined
  /** Number of requests that the servers of this connection have sent to the client. */
  #asked = 0
  #waits = true
  #isOutdated = false
  #onChange = (): void => {}

  /** `onClose` is called when the transport closes. */
  constructor(inner: Transport, onClose: () => void) {
    this.#inner = inner
    this.#onClose = onClose
  }

  /** Starts to read messages. */
  start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#receive(message)
    this.#inner.onerror = (error) => this.#link?.onerror?.(error)
    this.#inner.onclose = () => {
      this.#link?.onclose?.()
      this.#onClose()
    }
    return this.#inner.start()
  }

  /** Returns the transport of the next server. Its `start` resolves when the server has received the handshake. */
  link(): Transport {
    const greeting = [this.#initialize, this.#setLevel].filter((request) => request !== undefined)
    this.#link = new ServerTransport(this, greeting, this.#asked)
    return this.#link
  }

  /** Disconnects the server. Closing its transport then does not close the connection. */
  unlink(): void {
    this.#link = undefined
  }

  /** Whether the roots have changed since `rootsChanged` resolved. */
  get isOutdated(): boolean {
    return this.#isOutdated
  }

  /** Resolves when the client has changed its roots. Delivers the waiting requests, unless the roots have changed already. */
  async rootsChanged(): Promise<void> {
    if (!this.#isOutdated) {
      this.#waits = false
      for (const message of this.#waiting.splice(0)) this.#link?.onmessage?.(message)
      await new Promise<void>((resolve) => {
        this.#onChange = resolve
      })
    }
    this.#isOutdated = false
  }

  /** Rejects all waiting requests with this error. */
  refuse(message: string): void {
    for (const waiting of this.#waiting.splice(0)) {
      if (!('method' in waiting && 'id' in waiting)) continue
      // Not awaited, because the promise never settles if nobody reads.
      void this.#inner.send({ jsonrpc: '2.0', id: waiting.id, error: { code: ErrorCode.InternalError, message } })
    }
  }

  async send(link: ServerTransport, message: JSONRPCMessage): Promise<void> {
    if (link !== this.#link) return
    if ('method' in message && 'id' in message) this.#asked++
    await this.#inner.send(message)
  }

  /** Closes the connection, unless the server of this transport is disconnected. */
  async close(link: ServerTransport | undefined = this.#link): Promise<void> {
    if (link !== this.#link) return link?.onclose?.()
    this.refuse(GONE)
    await this.#inner.close()
  }

  #receive(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#link?.receiveAnswer(message)
    else if (isModern(message)) {
      // The newer protocol has no roots. After this error, a client falls back to the handshake.
      if ('id' in message) void this.#inner.send({ jsonrpc: '2.0', id: message.id, error: NO_MODERN })
    } else if (message.method === 'notifications/roots/list_changed') {
      this.#waits = true
      this.#isOutdated = true
      this.#onChange()
    } else this.#pass(message)
  }

  #pass(message: Asking): void {
    const isHandshake = 'id' in message && !this.#initialize && isInitializeRequest(message)
    if (isHandshake) this.#initialize = message
    if ('id' in message && SetLevelRequestSchema.safeParse(message).success) this.#setLevel = message
    const link = !this.#waits || isHandshake || AT_ONCE.includes(message.method) ? this.#link : undefined
    link?.onmessage?.(message)
    // The cancelled request may be running or waiting, so queue the cancellation too.
    if (!link || (this.#waits && message.method === 'notifications/cancelled')) this.#waiting.push(message)
  }
}

type Asking = JSONRPCRequest | JSONRPCNotification
type Answer = Exclude<JSONRPCMessage, Asking>

/** The transport of one server of a connection. */
class ServerTransport implements Transport {
  onmessage?: Transport['onmessage'] & object
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #connection: ClientConnection
  readonly #greeting: readonly JSONRPCRequest[]
  /** Offset for the ids of the server's requests, so that a late response to an earlier server never answers a request of this server. */
  readonly #firstId: number
  /** Set while the server answers a request of the handshake. The client does not get this response again. */
  #onGreeted: (() => void) | undefined

  constructor(connection: ClientConnection, greeting: readonly JSONRPCRequest[], firstId: number) {
    this.#connection = connection
    this.#greeting = greeting
    this.#firstId = firstId
  }

  async start(): Promise<void> {
    for (const request of this.#greeting) {
      await new Promise<void>((resolve) => {
        this.#onGreeted = resolve
        this.onmessage?.(request)
      })
    }
    if (this.#greeting.length > 0) this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) return this.#connection.send(this, this.#numbered(message))
    if (!this.#onGreeted) return this.#connection.send(this, message)
    this.#onGreeted()
    this.#onGreeted = undefined
  }

  close(): Promise<void> {
    return this.#connection.close(this)
  }

  receiveAnswer(answer: Answer): void {
    const id = Number(answer.id) - this.#firstId
    if (id >= 0) this.onmessage?.({ ...answer, id })
  }

  #numbered(message: Asking): Asking {
    if ('id' in message) return { ...message, id: Number(message.id) + this.#firstId }
    if (message.method !== 'notifications/cancelled') return message
    return { ...message, params: { ...message.params, requestId: Number(message.params?.requestId) + this.#firstId } }
  }
}
