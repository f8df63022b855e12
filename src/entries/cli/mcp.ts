import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, UsageError } from './options.js'
import { version } from './version.js'

/** Clients wait 2 seconds for a server to end, then they kill it, and what it has started would go on. */
const MOST_MS = 1800

/** Serves one MCP client on stdin and stdout, until stdin ends; within 2 seconds then, and after a signal. @throws {UsageError} where the SDK is not installed */
export async function mcp(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const [extra] = options.operands
  if (extra !== undefined) throw new UsageError(`"mcp" takes no more, not "${extra}"`)
  const { serveMcpStdio } = await loadServer()
  // A client that is gone is no reason to leave at once what a shell has started: serving ends by itself then.
  process.stdout.removeAllListeners('error')
  const endWithin = (code: ExitCode) => (): void => void setTimeout(() => process.exit(code), MOST_MS).unref()
  process.stdin.once('end', endWithin(0))
  process.stdout.once('error', endWithin(0))
  signal.addEventListener('abort', endWithin(143), { once: true })
  await serveMcpStdio(runtime, {
    version: version(),
    ...options.mcp,
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
