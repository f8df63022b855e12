import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { ended, startCli } from './cli-support.js'

const SESSION = 'mcp-session-id'
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'

export interface StdioBridge {
  readonly url: URL
  /** Resolves when the processes have ended. */
  readonly close: () => Promise<void>
}

/**
 * Serves MCP over HTTP, and passes each message unchanged to a process of `toolport mcp` and back. Each session has its own process.
 * Requests without a session (version 2026-07-28) share one. For one client at a time, because over stdio most notifications do not say
 * which request they belong to.
 */
export async function bridgeStdio(root: string, args: readonly string[]): Promise<StdioBridge> {
  const servers: StdioServer[] = []
  const sessions = new Map<string, StdioServer>()
  const start = (): StdioServer => {
    const server = new StdioServer(root, args)
    servers.push(server)
    return server
  }
  const startSession = (response: ServerResponse): StdioServer => {
    const id = randomUUID()
    const server = start()
    sessions.set(id, server)
    response.setHeader(SESSION, id)
    return server
  }
  const shared = start()
  const http = createServer(async (request, response) => {
    const body = await text(request)
    const session = request.headers[SESSION]
    const isFirst = session === undefined && request.method === 'POST' && JSON.parse(body).method === 'initialize'
    const server = isFirst ? startSession(response) : session === undefined ? shared : sessions.get(String(session))
    if (!server) response.writeHead(404).end()
    else if (request.method === 'POST') server.answer(body, response)
    else if (server === shared) response.writeHead(405).end()
    else if (request.method === 'GET') server.listen(response)
    else {
      sessions.delete(String(session))
      server.close()
      response.end()
    }
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      for (const server of servers) server.close()
      await Promise.all(servers.map(({ ended }) => ended))
    },
  }
}

/** A process of `toolport mcp`, with the event streams that its messages go to. */
class StdioServer {
  readonly ended: ReturnType<typeof ended>
  readonly #child: ReturnType<typeof startCli>
  /** The streams of open requests, by request id. */
  readonly #open = new Map<unknown, ServerResponse>()
  /** The stream for messages outside requests. */
  #listening: ServerResponse | undefined

  constructor(root: string, args: readonly string[]) {
    this.#child = startCli(root, ['mcp', ...args])
    this.ended = ended(this.#child)
    createInterface(this.#child.stdout).on('line', (line) => this.#deliver(line))
  }

  answer(body: string, response: ServerResponse): void {
    const { id, method } = JSON.parse(body)
    if (id === undefined || method === undefined) response.writeHead(202).end()
    else {
      this.#open.set(id, startEvents(response))
      response.on('close', () => this.#abandon(id, response))
    }
    this.#send(body)
  }

  listen(response: ServerResponse): void {
    this.#listening = startEvents(response)
  }

  close(): void {
    this.#child.stdin.end()
  }

  #deliver(line: string): void {
    const { id, method, params } = JSON.parse(line)
    const event = `data: ${line}\n\n`
    if (method !== undefined) {
      const stream = this.#open.get(params?._meta?.[SUBSCRIPTION]) ?? [...this.#open.values()].at(-1) ?? this.#listening
      stream?.write(event)
      return
    }
    const stream = this.#open.get(id)
    this.#open.delete(id)
    stream?.end(event)
  }

  /** Over HTTP, a client cancels a request by closing its stream; over stdio, with a notification. */
  #abandon(id: unknown, response: ServerResponse): void {
    if (this.#open.get(id) !== response) return
    this.#open.delete(id)
    this.#send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }))
  }

  #send(message: string): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${message}\n`)
  }
}

function startEvents(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  return response
}
