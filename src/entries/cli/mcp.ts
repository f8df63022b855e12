import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, UsageError } from './options.js'
import { version } from './version.js'

/** Serves one MCP client on stdin and stdout, until stdin ends. @throws {UsageError} where the SDK is not installed */
export async function mcp(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const [extra] = options.operands
  if (extra !== undefined) throw new UsageError(`"mcp" takes no more, not "${extra}"`)
  const { serveMcpStdio } = await loadServer()
  await serveMcpStdio(runtime, {
    version: version(),
    signal,
    onError: ({ message }) => process.stderr.write(`toolport: ${message.split('\n', 1)[0]}\n`),
  })
  return 0
}

async function loadServer(): Promise<typeof import('../mcp/stdio.js')> {
  try {
    return await import('../mcp/stdio.js')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError('"mcp" needs a package that is not installed: npm install @modelcontextprotocol/sdk')
  }
}
