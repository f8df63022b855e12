import process from 'node:process'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { askRoots } from './client-roots.js'
import { RequestGate } from './request-gate.js'
import { createMcpServer, type McpRoot, type McpServerOptions } from './server.js'
import { StdioTransport } from './stdio-transport.js'

/** Options of the MCP server over stdin and stdout. */
export interface McpStdioOptions extends McpServerOptions {
  /** Aborts to end the server immediately. */
  readonly signal?: AbortSignal
  /** Called with the errors of invalid messages and of the streams. Default: ignores these errors. */
  readonly onError?: (error: Error) => void
}

/**
 * Milliseconds that remain to answer requests after stdin has ended, as in `printf ... | toolport mcp`. Clients kill a server after 2
 * seconds in total.
 */
const LAST_ANSWERS_MS = 1000

/**
 * Serves one client over stdin and stdout in Node. Nothing else may write to stdout. When stdin ends, running calls have one more second;
 * an abort of the signal ends the server immediately. Then disposes the runtime and resolves. Rejects if disposing fails.
 */
export async function serveMcpStdio(runtime: ToolRuntime, options: McpStdioOptions = {}): Promise<void> {
  await serveOn(stdioTransport(), runtime, options)
}

/**
 * Serves a runtime that depends on the client's roots: `open` receives the roots, or undefined if the client does not report them. If
 * `open` rejects, all requests get that error, and this function rejects with it. Resolves if the client disconnects before it reports its
 * roots.
 */
export async function serveMcpStdioRoots(
  open: (roots: readonly McpRoot[] | undefined) => Promise<ToolRuntime>,
  options: McpStdioOptions = {},
): Promise<void> {
  const { signal } = options
  const inner = stdioTransport()
  /** Aborts when the client sends nothing more. The client may still read responses. */
  const ended = new AbortController()
  /** Aborts when the client no longer reads responses either. */
  const gone = new AbortController()
  const leave = (): void => {
    gone.abort()
    ended.abort()
  }
  // Abort with a delay, so that the last messages are processed first.
  process.stdin.once('end', () => setImmediate(() => ended.abort()))
  process.stdin.once('error', leave)
  process.stdout.on('error', leave)
  // As in `serveOn`.
  process.stdout.setMaxListeners(0)
  if (signal?.aborted) leave()
  else signal?.addEventListener('abort', leave, { once: true })
  try {
    const client = await askRoots(inner, { ...options, ended: ended.signal, onClose: leave })
    if (!client) return
    const runtime = await open(client.roots).catch((error: Error) => {
      client.refuse(error.message)
      throw error
    })
    if (gone.signal.aborted) await runtime.dispose()
    else await serveOn(client.transport, runtime, options)
  } catch (error) {
    if (!gone.signal.aborted) throw error
  } finally {
    await inner.close()
  }
}

const stdioTransport = (): Transport => new StdioTransport(process.stdin, process.stdout)

async function serveOn(transport: Transport, runtime: ToolRuntime, options: McpStdioOptions): Promise<void> {
  const { signal, onError } = options
  const mcp = createMcpServer(runtime, options)
  const { onclose } = mcp.server
  const closed = new Promise<void>((resolve) => {
    mcp.server.onclose = () => {
      onclose?.()
      resolve()
    }
  })
  if (onError) mcp.server.onerror = onError
  const gate = new RequestGate(transport)
  const end = (): void => void mcp.close()
  const endSoon = (): void => void gate.answered(LAST_ANSWERS_MS).then(end)
  process.stdin.once('end', endSoon)
  process.stdin.once('error', end)
  // Fires for each message that cannot be written.
  process.stdout.on('error', end)
  await mcp.connect(gate)
  // The SDK adds a listener for each waiting message, which is not a leak.
  process.stdout.setMaxListeners(0)
  if (process.stdin.readableEnded) endSoon()
  if (signal?.aborted) end()
  else signal?.addEventListener('abort', end, { once: true })
  await closed
  await runtime.dispose()
}
