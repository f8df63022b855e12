import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { McpServerOptions } from './server.js'

export interface McpHandlerOptions extends McpServerOptions {
  /**
   * Origins of web pages that may ask (`https://app.example`); `*` stands for all. Default none: a request that says where its page is
   * from gets 403, so that no page reaches a server on its visitor's machine. CORS headers are the host's affair.
   */
  readonly origins?: readonly string[]
  /**
   * Names that this server is called by, without ports (`app.example`); `*` stands for all, others get 403. Default all, but over
   * loopback through `toNodeListener` only its own names (`localhost`, `127.0.0.1`, `[::1]`): a page whose name was made to point to its
   * visitor's machine is of the same origin there and has no `Origin`. A proxy on the same machine that keeps the name needs it here.
   */
  readonly hosts?: readonly string[]
  /**
   * Default true: each client has a session in memory, and with it cancellation, subscriptions and messages between calls. False: every
   * request stands for itself; a client's calls survive a restart of the server, and end with the connection that asked.
   */
  readonly sessions?: boolean
  /**
   * With one more, one that is not in use ends: the one longest unused, first of those whose clients never came back. In use are those
   * with a call that runs or a response that somebody reads; where all are, the new one gets 503. So does one that begins while others do,
   * where all clients have come back. An ended session's client gets 404 and begins anew. Default 100.
   */
  readonly maxSessions?: number
  /** Sessions unused for so long end; milliseconds, default 30 minutes. */
  readonly idleMs?: number
  /** Of a request; larger ones get 413. Default 4 MiB. */
  readonly maxBodyBytes?: number
  /** For the body of a request to come; slower ones get 408. Milliseconds, default 30 seconds. */
  readonly bodyMs?: number
}

/** One runtime for all clients, or what makes one for each session, or for each request where there are no sessions. */
export type McpRuntimes = ToolRuntime | ((request: Request) => ToolRuntime | Promise<ToolRuntime>)
