import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { RequestGate } from './request-gate.js'
import { createMcpServer, type McpServer, type McpServerOptions } from './server.js'

/** One client's server over HTTP: of a session, or of a single request. */
export interface HttpServer {
  readonly mcp: McpServer
  readonly gate: RequestGate
  readonly transport: WebStandardStreamableHTTPServerTransport
  /**
   * Whether a request may have this id: none that is open has it. It is kept for the request until `unclaim`, after which the gate knows it;
   * the transport would let a second one take the first one's response.
   */
  claim(id: RequestId): boolean
  unclaim(id: RequestId): void
  /** Idempotent. */
  close(): Promise<void>
}

export interface HttpServerOptions extends McpServerOptions {
  readonly withSession: boolean
  /** What else ends with it. */
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

/** Ends the response of a request that will have no answer. */
function abandon(transport: WebStandardStreamableHTTPServerTransport, id: RequestId): void {
  transport.closeSSEStream(id)
  // It rejects, for there is nothing to send it on; what the transport keeps of the request goes with it.
  transport.send({ jsonrpc: '2.0', id, result: {} }).catch(() => {})
}
