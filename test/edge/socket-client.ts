import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { fetch, type WebSocket } from 'miniflare'
import type { Client } from './support.js'

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON it is
export type Message = any

/** A WebSocket to a workspace, with the messages that it received. */
export class SocketClient {
  readonly messages: Message[] = []
  readonly closed: Promise<{ readonly code: number }>
  readonly #socket: WebSocket
  #wake = (): void => {}

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      this.messages.push(data === 'pong' ? data : JSON.parse(String(data)))
      this.#wake()
    })
    this.closed = new Promise((resolve) => socket.addEventListener('close', ({ code }) => resolve({ code })))
    socket.accept()
  }

  send(message: Message): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  close(): void {
    this.#socket.close()
  }

  /** Waits for the first message that fits, starting with the oldest. */
  async first(fits: (message: Message) => boolean): Promise<Message> {
    while (true) {
      const found = this.messages.find(fits)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  ofType(type: string): Promise<Message> {
    return this.first((message) => message.type === type)
  }

  /** The text of a stream so far. */
  text(stream = 'stdout'): string {
    return this.messages.flatMap((message) => (message.type === 'output' && message.stream === stream ? [message.text] : [])).join('')
  }

  /** The position in a stream after the last output. */
  cursor(stream = 'stdout'): number {
    return this.messages.findLast((message) => message.type === 'output' && message.stream === stream)?.cursor ?? 0
  }
}

export interface Opened {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly socket: SocketClient | undefined
}

export async function tryOpen({ edge, path }: Pick<Client, 'edge' | 'path'>, headers: Readonly<Record<string, string>>): Promise<Opened> {
  const response = await fetch(`${edge.address}${path}/socket`, { headers: { ...headers, upgrade: 'websocket' } })
  const { status, webSocket } = response
  if (!webSocket) await response.text()
  return { status, headers: response.headers, socket: webSocket ? new SocketClient(webSocket) : undefined }
}

export async function open(client: Client): Promise<SocketClient> {
  const { status, socket } = await tryOpen(client, client.headers)
  if (!socket) throw new Error(`No socket: ${status}`)
  return socket
}

/** A raw WebSocket that answers nothing, not even a close frame. */
export interface RawSocket {
  follow(session: string): void
  /** All received data, including frame headers. */
  received(): string
  destroy(): void
}

export async function connectRaw({ edge, path, token }: Client): Promise<RawSocket> {
  const { hostname, port, host } = new URL(edge.address)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('error', () => {})
  socket.write(
    [
      `GET ${path}/socket HTTP/1.1`,
      `Host: ${host}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      'Sec-WebSocket-Version: 13',
      `Authorization: Bearer ${token}`,
      '\r\n',
    ].join('\r\n'),
  )
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => {
      received += String(chunk)
      if (received.includes('\r\n\r\n')) resolve()
    })
    socket.on('close', () => reject(new Error(`The socket closed: ${received}`)))
  })
  return {
    follow: (session) => void socket.write(frameOf(JSON.stringify({ type: 'follow', session }))),
    received: () => received,
    destroy: () => void socket.destroy(),
  }
}

/** A masked text frame of at most 125 bytes. The mask is all zeros. */
function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 125) throw new Error('The frame is too long')
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}
