import { isUtf8 } from 'node:buffer'
import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { parseMessages, type Unreadable } from './parse-message.js'
import { refusalOf } from './request-gate.js'

/** Maximum bytes of a message: enough for the largest file that the default limits allow, encoded in base64. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024

const NOT_UTF8: Unreadable = { code: -32700, message: 'Cannot read the message: it is not valid UTF-8. Send UTF-8.' }

/** A batch whose answers are sent together. */
interface Batch {
  /** Number of open requests, plus 1 while the batch is being read. */
  open: number
  readonly answers: object[]
}

/** Transports one JSON message, or one batch, per line. Unlike the SDK's transport, it responds to invalid lines with an error. */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #stdin: Readable
  readonly #stdout: Writable
  /** Chunks of the incomplete line. */
  #chunks: Buffer[] = []
  #bytes = 0
  /** The protocol version that the client requested. */
  #version: string | undefined
  /** Open requests by id, with the batch that collects the answer. A second request with an open id is rejected. */
  readonly #open = new Map<RequestId, Batch | undefined>()

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin
    this.#stdout = stdout
  }

  async start(): Promise<void> {
    this.#stdin.on('data', this.#receive)
    this.#stdin.on('error', this.#fail)
  }

  send(message: JSONRPCMessage): Promise<void> {
    const batch = 'method' in message ? undefined : this.#settle(message.id)
    if (!batch) return this.#write(message)
    batch.answers.push(message)
    return this.#finish(batch)
  }

  async close(): Promise<void> {
    this.#stdin.off('data', this.#receive)
    this.#stdin.off('error', this.#fail)
    if (this.#stdin.listenerCount('data') === 0) this.#stdin.pause()
    this.#chunks = []
    for (const batch of new Set(this.#open.values())) {
      if (!batch) continue
      batch.open = 0
      void this.#finish(batch)
    }
    this.#open.clear()
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
    const parsed = isUtf8(bytes) ? parseMessages(line, this.#version) : NOT_UTF8
    if (Array.isArray(parsed)) this.#readBatch(parsed)
    else this.#read(parsed as JSONRPCMessage | Unreadable, (answer) => void this.#write(answer))
  }

  #readBatch(parts: readonly (JSONRPCMessage | Unreadable)[]): void {
    const batch: Batch = { open: 1, answers: [] }
    for (const part of parts) this.#read(part, (answer) => batch.answers.push(answer), batch)
    batch.open--
    void this.#finish(batch)
  }

  #read(message: JSONRPCMessage | Unreadable, refuse: (answer: object) => void, batch?: Batch): void {
    if (!('jsonrpc' in message)) {
      this.onerror?.(new Error(message.message))
      if (!message.isUnanswered) refuse(errorOf(message))
      return
    }
    if ('method' in message && 'id' in message) {
      if (this.#open.has(message.id)) {
        refuse(refusalOf(message.id))
        return
      }
      this.#open.set(message.id, batch)
      if (batch) batch.open++
    }
    const { method, params } = 'method' in message ? message : {}
    if (method === 'initialize') this.#version = String(params?.protocolVersion)
    this.onmessage?.(message)
    // A cancelled request gets no answer, so its batch may now be complete.
    const cancelled = method === 'notifications/cancelled' ? this.#settle(params?.requestId as RequestId) : undefined
    if (cancelled) void this.#finish(cancelled)
  }

  /** Ends an open request. Returns the batch that contains this request, if any. */
  #settle(id: RequestId | undefined): Batch | undefined {
    if (id === undefined) return undefined
    const batch = this.#open.get(id)
    this.#open.delete(id)
    if (batch) batch.open--
    return batch
  }

  /** Writes the answers of a batch if none of its requests is open any more. Writes nothing for a batch without answers. */
  #finish({ open, answers }: Batch): Promise<void> {
    if (open > 0 || answers.length === 0) return Promise.resolve()
    return this.#write(answers.splice(0))
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
