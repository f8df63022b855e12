import process from 'node:process'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { RequestGate } from './request-gate.js'
import { createMcpServer, type McpServer, type McpServerOptions } from './server.js'
import { StdioTransport } from './stdio-transport.js'

/** Options of the MCP server over stdin and stdout. */
export interface McpStdioOptions extends McpServerOptions {
  /** Aborts to end the server immediately. */
  readonly signal?: AbortSignal
  /** Called with the errors of invalid messages and of the streams. Default: ignores these errors. */
  readonly onError?: (error: Error) => void
}

/**
 * Milliseconds for open requests to end after the end of stdin, as in `printf ... | toolport mcp`, or after a change of the roots. Clients
 * kill a server 2 seconds after the end of stdin.
 */
export const LAST_ANSWERS_MS = 1000

export const stdioTransport = (): Transport => new StdioTransport(process.stdin, process.stdout)

export interface Ends {
  /** Aborts when the client sends nothing more. The client may still read responses. */
  readonly ended: AbortSignal
  /** Aborts when the client no longer reads responses either, and when the program wants to end the server. */
  readonly gone: AbortSignal
  /** Aborts both signals. */
  readonly leave: () => void
}

export function watchStreams(signal: AbortSignal | undefined): Ends {
  const ended = new AbortController()
  const gone = new AbortController()
  const leave = (): void => {
    gone.abort()
    ended.abort()
  }
  // Abort with a delay, so that the last messages are processed first.
  const endSoon = (): void => void setImmediate(() => ended.abort())
  if (process.stdin.readableEnded) endSoon()
  process.stdin.once('end', endSoon)
  process.stdin.once('error', leave)
  // Fires for each message that cannot be written.
  process.stdout.on('error', leave)
  // The SDK adds a listener for each waiting message, which is not a leak.
  process.stdout.setMaxListeners(0)
  onAbort(signal, leave)
  return { ended: ended.signal, gone: gone.signal, leave }
}

/** Calls the function when the signal aborts, or now if it has aborted. `until` removes the listener. */
function onAbort(signal: AbortSignal | undefined, run: () => void, until?: AbortSignal): void {
  if (signal?.aborted) run()
  else signal?.addEventListener('abort', run, { once: true, ...(until && { signal: until }) })
}

export interface Served {
  readonly mcp: McpServer
  readonly gate: RequestGate
  /** Resolves when the server's transport has closed. */
  readonly closed: Promise<undefined>
}

export async function connect(transport: Transport, runtime: ToolRuntime, options: McpStdioOptions): Promise<Served> {
  const mcp = createMcpServer(runtime, options)
  const { onclose } = mcp.server
  const closed = new Promise<undefined>((resolve) => {
    mcp.server.onclose = () => {
      onclose?.()
      resolve(undefined)
    }
  })
  if (options.onError) mcp.server.onerror = options.onError
  const gate = new RequestGate(transport)
  await mcp.connect(gate)
  return { mcp, gate, closed }
}

/** Closes the server when its client ends. */
export function closeAtEnd({ mcp, gate, closed }: Served, { ended, gone }: Ends): void {
  const over = new AbortController()
  void closed.then(() => over.abort())
  const end = (): void => void mcp.close()
  onAbort(gone, end, over.signal)
  onAbort(ended, () => void gate.answered(LAST_ANSWERS_MS).then(end), over.signal)
}
