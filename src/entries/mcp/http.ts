import { required } from '../../errors/required.js'
import { Handler } from './http-handler.js'
import type { McpHandlerOptions, McpRuntimes } from './http-options.js'
import type { McpConnection } from './senders.js'

export type { McpHandlerOptions, McpRuntimes } from './http-options.js'

/** Answers requests of streamable HTTP. Who may ask is for the host to check before. */
export interface McpHandler {
  /** `connection` is told by `toNodeListener`. Rejects with what a function that gives runtimes rejects with, and for nothing else. */
  (request: Request, connection?: McpConnection): Promise<Response>
  /**
   * Ends all sessions and streams, aborts their calls and waits for them; requests that come later get 503. Runtimes that a function gave
   * are disposed, and it rejects with the first error of that; one that was given stays. Idempotent.
   */
  close(): Promise<void>
}

/**
 * Creates an MCP server over streamable HTTP as a handler of standard requests, for Node, Workers and every other runtime with `Request`
 * and `Response`.
 *
 * One runtime is one trust domain: all clients share its files, its shell and its background sessions. An HTTP session separates
 * connections, not people. For clients that do not trust each other pass a function. The handler calls it for each new session, with the
 * first request, and disposes the returned runtime, so it must return a new runtime each time.
 *
 * @throws {RangeError} for sizes and times that are not positive integers
 */
export function createMcpHandler(runtimes: McpRuntimes, options: McpHandlerOptions = {}): McpHandler {
  if (typeof runtimes !== 'function')
    required('createMcpHandler', 'a ToolRuntime, or a function that makes one', runtimes, 'getModelManifest')
  const handler = new Handler(runtimes, options)
  return Object.assign((request: Request, connection?: McpConnection) => handler.handle(request, connection), {
    close: () => handler.close(),
  })
}
