import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { McpConnection, McpHandler, McpHandlerOptions } from '../mcp.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, UsageError } from './options.js'
import { tokenIn } from './token.js'

const HOST = '127.0.0.1'

type Handle = (request: Request, connection?: McpConnection) => Promise<Response>

/** Serves MCP over HTTP on loopback until the signal aborts. @throws {UsageError} if the port is not available */
export async function mcpHttp(
  runtime: ToolRuntime,
  options: Pick<CliOptions, 'port' | 'noToken'>,
  served: McpHandlerOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { createMcpHandler, toNodeListener } = await import('../mcp.js')
  const handler: McpHandler = createMcpHandler(runtime, served)
  const given = options.noToken ? undefined : tokenIn(process.env, 'TOOLPORT_MCP_TOKEN')
  const token = options.noToken ? undefined : (given ?? randomBytes(24).toString('base64url'))
  const server = createServer(toNodeListener(token === undefined ? handler : withToken(handler, token)))
  try {
    const listening = once(server, 'listening')
    server.listen(options.port ?? 0, HOST)
    await listening
  } catch (error) {
    throw new UsageError(`Cannot listen on port ${options.port}: ${(error as NodeJS.ErrnoException).code}`)
  }
  process.stderr.write(`toolport mcp: http://${HOST}:${(server.address() as AddressInfo).port}/mcp\n`)
  if (token !== undefined && given === undefined) process.stderr.write(`Authorization: Bearer ${token}\n`)
  if (!signal.aborted) await once(signal, 'abort')
  await handler.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return 0
}

/** Milliseconds to delay the rejection of a wrong token, against brute-force attacks. */
const WRONG_TOKEN_MS = 250
/**
 * Maximum number of rejections that are delayed at the same time. Further ones are sent immediately, so that the delays do not keep too
 * many connections open.
 */
const MOST_WAITING = 20

function withToken(handle: Handle, token: string): Handle {
  const expected = digest(`Bearer ${token}`)
  let waiting = 0
  return async (request, connection) => {
    if (timingSafeEqual(digest((request.headers.get('authorization') ?? '').replace(/^bearer\s+/i, 'Bearer ')), expected))
      return handle(request, connection)
    const refusal = Response.json(
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Cannot answer: the token is wrong. Send "Authorization: Bearer" with the token.' },
      },
      { status: waiting < MOST_WAITING ? 401 : 429, headers: { 'www-authenticate': 'Bearer' } },
    )
    if (waiting >= MOST_WAITING) return refusal
    waiting++
    await sleep(WRONG_TOKEN_MS)
    waiting--
    return refusal
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
