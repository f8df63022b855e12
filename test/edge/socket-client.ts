import { fetch, type WebSocket } from 'miniflare'
import type { Client } from './support.js'

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON it is
export type Message = any

/** A WebSocket to a workspace, with what came on it. */
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

  /** The first message, from the oldest on, that fits. */
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

  /** What has come of a stream so far. */
  text(stream = 'stdout'): string {
    return this.messages.flatMap((message) => (message.type === 'output' && message.stream === stream ? [message.text] : [])).join('')
  }

  /** How far it came. */
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
