import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { RequestGate } from './request-gate.js'
import { createMcpServer, type McpServer, type McpServerOptions } from './server.js'

/** The server of one client over HTTP: for a session, or for a single request. */
export interface HttpServer {
  readonly mcp: McpServer
  readonly gate: RequestGate
  readonly transport: WebStandardStreamableHTTPServerTransport
  /**
   * Reserves an id for a request until `unclaim`. Returns false if an open request has the same id, because the transport would give the
   * first request's response to the second one.
   */
  claim(id: RequestId): boolean
  unclaim(id: RequestId): void
  /** Idempotent. */
  close(): Promise<void>
}

export interface HttpServerOptions extends McpServerOptions {
  readonly withSession: boolean
  /** Cleanup that runs when the server closes. */
  readonly onClose: () => Promise<void>
}

export async function startHttpServer(runtime: ToolRuntime, { withSession, onClose, ...options }: HttpServerOptions): Promise<HttpServer> {
  const mcp = createMcpServer(runtime, options)
  const transport = new WebStandardStreamableHTTPServerTransport(withSession ? { sessionIdGenerator: () => crypto.randomUUID() } : {})
  const gate = new RequestGate(transport, { onCancel: (id) => abandon(transport, id) })
  const claimed = new Set<RequestId>()
  let closing: Promise<void> | undefined
  const end = async (): Promise<void> => {
    try {
      await mcp.close()
    } finally {
      await onClose()
    }
  }
  await mcp.connect(gate)
  return {
    mcp,
    gate,
    transport,
    claim(id) {
      if (gate.isOpen(id) || claimed.has(id)) return false
      claimed.add(id)
      return true
    },
    unclaim: (id) => void claimed.delete(id),
    close() {
      closing ??= end()
      return closing
    },
  }
}

/** Ends the response stream of a request that will get no answer. */
function abandon(transport: WebStandardStreamableHTTPServerTransport, id: RequestId): void {
  transport.closeSSEStream(id)
  // `send` rejects because the stream is closed, but it also makes the transport forget the request.
  transport.send({ jsonrpc: '2.0', id, result: {} }).catch(() => {})
}
