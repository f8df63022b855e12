import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isModern } from './modern-protocol.js'
import { capabilitiesOf, type McpRoot, type McpServerOptions } from './server.js'

export interface AskOptions extends McpServerOptions {
  /** Aborts when the client sends nothing more. */
  readonly ended: AbortSignal
  /** Called when the transport closes before the client has a server. */
  readonly onClose: () => void
  readonly onError?: ((error: Error) => void) | undefined
}

/** A client that has completed the handshake before its server exists. */
export interface AskedClient {
  /** Undefined: the client does not support roots, or did not answer. */
  readonly roots: readonly McpRoot[] | undefined
  /** The transport for the server that is created next. It replays the client's handshake and all messages since. */
  readonly transport: Transport
  /** Rejects all waiting requests with this error, instead of starting a server. */
  refuse(message: string): void
}

const INSTRUCTIONS = 'The tools work on the files below the root of the client; paths are absolute or relative to it.'

/**
 * Performs the handshake with a client and asks for its roots, before the server is created. Requests that arrive meanwhile wait. If the
 * client disconnects first, rejects the waiting requests and returns undefined.
 */
export async function askRoots(inner: Transport, options: AskOptions): Promise<AskedClient | undefined> {
  const { name = 'toolport', version = '0', instructions = INSTRUCTIONS, ended, onClose, onError } = options
  const greeter = new Server({ name, version }, { capabilities: capabilitiesOf(options), instructions })
  if (onError) greeter.onerror = onError
  const handshake = new Handshake(inner)
  let isOver = false
  const over = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true
      resolve()
    }
    greeter.onclose = () => {
      end()
      onClose()
    }
    if (ended.aborted) end()
    else ended.addEventListener('abort', end, { once: true })
  })
  const begun = new Promise<void>((resolve) => {
    greeter.oninitialized = resolve
  })
  await greeter.connect(handshake)
  const asked = begun.then(() => rootsOf(greeter))
  const roots = await Promise.race([asked, over.then(() => undefined)])
  const refuse = (message: string): void => handshake.refuse(message)
  if (!isOver) return { roots, transport: new Replay(inner, handshake), refuse }
  refuse('The client has gone before it said what its root is')
  return undefined
}

/** Asks the client for its roots. Returns undefined if the client does not support roots, or gives no valid answer. */
async function rootsOf(greeter: Server): Promise<readonly McpRoot[] | undefined> {
  if (!greeter.getClientCapabilities()?.roots) return undefined
  return greeter.listRoots().then(
    ({ roots }) => roots,
    () => undefined,
  )
}

const NO_MODERN = { code: ErrorCode.MethodNotFound, message: 'The client must "initialize": the directory to serve is its root' }

/** The transport of the server that only greets the client. Passes on the handshake and the client's responses. All other messages wait. */
class Handshake implements Transport {
  onmessage?: Transport['onmessage'] & object
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly waiting: JSONRPCMessage[] = []
  initialize: JSONRPCMessage | undefined
  readonly #inner: Transport

  constructor(inner: Transport) {
    this.#inner = inner
  }

  start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#receive(message)
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = (error) => this.onerror?.(error)
    return this.#inner.start()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  refuse(message: string): void {
    for (const { id } of this.waiting.splice(0).filter((waiting) => 'method' in waiting && 'id' in waiting) as { id: string | number }[]) {
      // Not awaited, because the promise never settles if nobody reads.
      void this.#inner.send({ jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } })
    }
  }

  #receive(message: JSONRPCMessage): void {
    if ('method' in message && isModern(message)) {
      // The newer protocol has no roots. After this error, a client falls back to the handshake.
      if ('id' in message) void this.#inner.send({ jsonrpc: '2.0', id: message.id, error: NO_MODERN })
      return
    }
    const isFirst = this.initialize === undefined && isInitializeRequest(message)
    if (isFirst) this.initialize = message
    const isHandshake = isFirst || !('method' in message) || ['notifications/initialized', 'ping'].includes(message.method)
    if (isHandshake) this.onmessage?.(message)
    else this.waiting.push(message)
  }
}

/** Connects the same client to another server. The handshake's response is not sent again. */
class Replay implements Transport {
  onmessage?: Transport['onmessage'] & object
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #inner: Transport
  readonly #handshake: Handshake
  #isGreeted = false

  constructor(inner: Transport, handshake: Handshake) {
    this.#inner = inner
    this.#handshake = handshake
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = (error) => this.onerror?.(error)
    this.#inner.onmessage = (message) => void this.#handshake.waiting.push(message)
    this.onmessage?.(this.#handshake.initialize as JSONRPCMessage)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isGreeted) return this.#inner.send(message)
    this.#isGreeted = true
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' })
    for (const waiting of this.#handshake.waiting.splice(0)) this.onmessage?.(waiting)
    this.#inner.onmessage = (received) => this.onmessage?.(received)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }
}
