import { isUtf8 } from 'node:buffer'
import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isResponse, parseMessage, type Unreadable } from './parse-message.js'

/** Maximum size of a message: more than the largest file under default limits in base64. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024

const NOT_UTF8: Unreadable = { code: -32700, message: 'Cannot read the message: it is not valid UTF-8. Send UTF-8.' }

/** Transports one JSON message per line. Unlike the SDK's transport, it responds to invalid lines with an error. */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #stdin: Readable
  readonly #stdout: Writable
  /** Chunks of the incomplete line. */
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin
    this.#stdout = stdout
  }

  async start(): Promise<void> {
    this.#stdin.on('data', this.#receive)
    this.#stdin.on('error', this.#fail)
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message)
  }

  async close(): Promise<void> {
    this.#stdin.off('data', this.#receive)
    this.#stdin.off('error', this.#fail)
    if (this.#stdin.listenerCount('data') === 0) this.#stdin.pause()
    this.#chunks = []
    this.onclose?.()
  }

  readonly #fail = (error: Error): void => this.onerror?.(error)

  readonly #receive = (chunk: Buffer): void => {
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      this.#add(chunk.subarray(from, end))
      const line = Buffer.concat(this.#chunks)
      this.#chunks = []
      this.#bytes = 0
      this.#readLine(line)
      from = end + 1
    }
    this.#add(chunk.subarray(from))
    if (this.#bytes <= MAX_MESSAGE_BYTES) return
    this.onerror?.(new Error(`Cannot read a message: it is longer than ${MAX_MESSAGE_BYTES} bytes. The server ends.`))
    void this.close()
  }

  #add(part: Buffer): void {
    this.#chunks.push(part)
    this.#bytes += part.length
  }

  #readLine(bytes: Buffer): void {
    const line = bytes.toString('utf8')
    if (line.trim() === '') return
    const message = isUtf8(bytes) ? parseMessage(line) : NOT_UTF8
    if ('jsonrpc' in message) {
      this.onmessage?.(message)
      return
    }
    this.onerror?.(new Error(message.message))
    if (!isResponse(line)) void this.#write(errorOf(message))
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stdout.write(`${JSON.stringify(message)}\n`)) resolve()
      else this.#stdout.once('drain', resolve)
    })
  }
}

/** JSON-RPC requires a null id if the id is unreadable. */
const errorOf = ({ code, message, id = null }: Omit<Unreadable, 'id'> & { readonly id?: Unreadable['id'] | null }): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
