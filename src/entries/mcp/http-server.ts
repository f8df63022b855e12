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
  /** The protocol version that the client asked for. */
  version: string | undefined
  /**
   * Reserves the ids of the requests of one POST until `unclaim`. If one of the ids belongs to an open request, returns this id and
   * reserves nothing, because the transport would send the first request's response to the second request.
   */
  claim(ids: readonly RequestId[]): RequestId | undefined
  unclaim(ids: readonly RequestId[]): void
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
  const gate = new RequestGate(transport, { onCancel: (id) => abandon(transport, id, batched.has(id)) })
  const claimed = new Set<RequestId>()
  /** Ids of open requests that came in a batch. */
  const batched = new Set<RequestId>()
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
    version: undefined,
    claim(ids) {
      const isUsed = (id: RequestId): boolean => gate.isOpen(id) || claimed.has(id)
      const taken = ids.find(isUsed)
      if (taken !== undefined) return taken
      for (const id of batched) if (!isUsed(id)) batched.delete(id)
      for (const id of ids) {
        claimed.add(id)
        if (ids.length > 1) batched.add(id)
      }
      return undefined
    },
    unclaim(ids) {
      for (const id of ids) claimed.delete(id)
    },
    close() {
      closing ??= end()
      return closing
    },
  }
}

/**
 * Ends a request that will get no other answer, with an error. Closes its response stream, except in a batch, whose other requests still
 * need the stream.
 */
function abandon(transport: WebStandardStreamableHTTPServerTransport, id: RequestId, isBatched: boolean): void {
  if (!isBatched) transport.closeSSEStream(id)
  // This error makes the transport forget the request. Sending rejects if the stream is closed.
  transport.send({ jsonrpc: '2.0', id, error: { code: -32000, message: 'The request was cancelled.' } }).catch(() => {})
}
