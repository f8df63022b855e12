import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isModern } from './modern-protocol.js'
import { capabilitiesOf, type McpRoot, type McpServerOptions } from './server.js'

export interface AskOptions extends McpServerOptions {
  /** Aborts when no more will come from the client. */
  readonly ended: AbortSignal
  /** Told when the transport has closed, until there is a server for the client. */
  readonly onClose: () => void
  readonly onError?: ((error: Error) => void) | undefined
}

/** A client that was asked before there is a server for it. */
export interface AskedClient {
  /** Undefined: it has no such thing, or did not say. */
  readonly roots: readonly McpRoot[] | undefined
  /** For the server: with the handshake that the client believes done, and all that it has sent since. */
  readonly transport: Transport
  /** In the place of a server: all requests that wait have this error as their answer. */
  refuse(message: string): void
}

const INSTRUCTIONS = 'The tools work on the files below the root of the client; paths are absolute or relative to it.'

/**
 * Shakes hands with a client and asks for its roots, where what it is to be served depends on them. Requests that come meanwhile wait.
 * Undefined where the client has gone before it has said: what waited is refused.
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

/** A client whose answer is none has told nothing. */
async function rootsOf(greeter: Server): Promise<readonly McpRoot[] | undefined> {
  if (!greeter.getClientCapabilities()?.roots) return undefined
  return greeter.listRoots().then(
    ({ roots }) => roots,
    () => undefined,
  )
}

const NO_MODERN = { code: ErrorCode.MethodNotFound, message: 'The client must "initialize": the directory to serve is its root' }

/** Lets the handshake through, and what answers the greeter; the rest waits. */
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
      // Where nobody reads any more it never settles.
      void this.#inner.send({ jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } })
    }
  }

  #receive(message: JSONRPCMessage): void {
    if ('method' in message && isModern(message)) {
      // It has no roots, and a client that hears so shakes hands.
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

/** The same client for another server: the answer to its handshake is not sent again. */
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
