import { ErrorCode, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js'

export interface Refusal {
  readonly status: number
  /** Error code of JSON-RPC. */
  readonly code: number
  readonly message: string
  readonly id?: RequestId
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const CLOSED: Refusal = { status: 503, code: -32000, message: 'This server has been closed' }

const RETRY_SECONDS = '5'

/** Returns an HTTP error response with a JSON-RPC error as the body. */
export function refuse({ status, code, message, id, data, headers = {} }: Refusal): Response {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message, ...(data !== undefined && { data }) }, id: id ?? null })
  return new Response(body, { status, headers: { ...headers, 'content-type': 'application/json' } })
}

export function allInUse(message: JSONRPCMessage): Response {
  const why = 'All sessions are in use: try again later'
  return refuse({ status: 503, code: -32000, message: why, ...idOf(message), headers: { 'retry-after': RETRY_SECONDS } })
}

/** Returns the error for a message without a session that is not a valid `initialize` request. */
export function notBegun(message: JSONRPCMessage): Response {
  if (!('method' in message) || message.method !== 'initialize') return noSession(message)
  const why = 'Cannot begin a session: "initialize" needs an id, and params with protocolVersion, capabilities and clientInfo'
  return refuse({ status: 400, code: ErrorCode.InvalidParams, message: why, ...idOf(message) })
}

export function noSession(message?: JSONRPCMessage): Response {
  const why = 'There is no session: begin one with "initialize", and send its "Mcp-Session-Id" with what follows'
  return refuse({ status: 400, code: -32000, message: why, ...(message && idOf(message)) })
}

export function unknownSession(): Response {
  return refuse({ status: 404, code: -32001, message: 'There is no such session: begin anew with "initialize"' })
}

export function notAllowed(allow: string): Response {
  return refuse({ status: 405, code: -32000, message: `This method is not served here: use ${allow}`, headers: { allow } })
}

/** Returns the id of a request; nothing for other messages. */
export function idOf(message: JSONRPCMessage): { readonly id?: RequestId } {
  return 'method' in message && 'id' in message ? { id: message.id } : {}
}
