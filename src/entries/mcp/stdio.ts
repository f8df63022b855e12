import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { closeAtEnd, connect, type McpStdioOptions, stdioTransport, watchStreams } from './stdio-server.js'

export type { McpStdioOptions } from './stdio-server.js'

/**
 * Serves one client over stdin and stdout in Node. Nothing else may write to stdout. When stdin ends, running calls have one more second;
 * an abort of the signal ends the server immediately. Then disposes the runtime and resolves. Rejects if disposing fails.
 */
export async function serveMcpStdio(runtime: ToolRuntime, options: McpStdioOptions = {}): Promise<void> {
  const ends = watchStreams(options.signal)
  const served = await connect(stdioTransport(), runtime, options)
  closeAtEnd(served, ends)
  await served.closed
  await runtime.dispose()
}
