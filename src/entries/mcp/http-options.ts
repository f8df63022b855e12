import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { McpServerOptions } from './server.js'

/** Options of the MCP server over HTTP. */
export interface McpHandlerOptions extends McpServerOptions {
  /**
   * Allowed origins of web pages (`https://app.example`); `*` allows all. Default none: requests with an `Origin` header get 403, so that
   * no web page reaches a server on its visitor's machine. The host sets CORS headers itself.
   */
  readonly origins?: readonly string[]
  /**
   * Allowed host names of this server, without ports (`app.example`); `*` allows all, and others get 403. Default all. Over loopback
   * through `toNodeListener` the default is only `localhost`, `127.0.0.1` and `[::1]`, as a protection against DNS rebinding. A proxy on
   * the same machine that keeps the host name needs its name here.
   */
  readonly hosts?: readonly string[]
  /**
   * Default true: each client has a session in memory, with cancellation, subscriptions and messages between calls. False: every request is
   * independent. Clients then survive a restart of the server, and a call ends with its connection.
   */
  readonly sessions?: boolean
  /**
   * Maximum number of sessions; default 100. A new session ends the idle session that was unused for the longest time, first among clients
   * that never came back. Sessions with a running call or an open response are not idle. If no session is idle, the new client gets 503; so
   * does a client that starts while others start, if all clients have come back. The client of an ended session gets 404 and starts again.
   */
  readonly maxSessions?: number
  /** Ends sessions after this time without use, in milliseconds; default 30 minutes. */
  readonly idleMs?: number
  /** Maximum bytes of a request body; larger requests get 413. Default 4 MiB. */
  readonly maxBodyBytes?: number
  /** Milliseconds for a request body to arrive; slower requests get 408. Default 30 seconds. */
  readonly bodyMs?: number
}

/** One runtime for all clients, or a function that makes a runtime for each session (without sessions: for each request). */
export type McpRuntimes = ToolRuntime | ((request: Request) => ToolRuntime | Promise<ToolRuntime>)
