import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { capabilitiesOf, type McpRoot, type McpServerOptions } from './server.js'

/** A client that was asked before there is a server for it. */
export interface AskedClient {
  /** Undefined: it has no such thing, or did not say. */
  readonly roots: readonly McpRoot[] | undefined
  /** For the server: with the handshake that the client believes done, and all that it has sent since. */
  readonly transport: Transport
}

const INSTRUCTIONS = 'The tools work on the files below the root of the client; paths are absolute or relative to it.'

/**
 * Shakes hands with a client and asks for its roots, where what it is to be served depends on them. Requests that come meanwhile wait.
 * Rejects when the client has gone.
 */
export async function askRoots(inner: Transport, options: McpServerOptions): Promise<AskedClient> {
  const { name = 'toolport', version = '0', instructions = INSTRUCTIONS } = options
  const greeter = new Server({ name, version }, { capabilities: capabilitiesOf(options), instructions })
  const handshake = new Handshake(inner)
  const begun = new Promise<void>((resolve, reject) => {
    greeter.oninitialized = resolve
    greeter.onclose = () => reject(new Error('The client has gone before it said what to serve'))
  })
  await greeter.connect(handshake)
  await begun
  return { roots: await rootsOf(greeter), transport: new Replay(inner, handshake) }
}

/** A client whose answer is none has told nothing. */
async function rootsOf(greeter: Server): Promise<readonly McpRoot[] | undefined> {
  if (!greeter.getClientCapabilities()?.roots) return undefined
  return greeter.listRoots().then(
    ({ roots }) => roots,
    () => undefined,
  )
}

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

  #receive(message: JSONRPCMessage): void {
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
