import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema, RequestIdSchema } from '@modelcontextprotocol/sdk/types.js'
import { isRecord } from '../../ops/is-record.js'
import type { Refusal } from './http-errors.js'

/** Why a text is not a valid message. */
export type Unreadable = Pick<Refusal, 'code' | 'message' | 'id'>

const { ParseError, InvalidRequest } = ErrorCode

/** Parses a JSON-RPC message. */
export function parseMessage(text: string): JSONRPCMessage | Unreadable {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { code: ParseError, message: 'Cannot read the message: it is not JSON. Send one JSON object.' }
  }
  if (Array.isArray(value)) {
    return { code: InvalidRequest, message: 'Cannot take a batch: the protocol has none. Send each message by itself.' }
  }
  const { data, success } = JSONRPCMessageSchema.safeParse(value)
  if (success) return data
  const message =
    'Cannot read the message: it is not JSON-RPC. Send an object with "jsonrpc": "2.0", "method" and, for a request, a string or integer "id".'
  return { code: InvalidRequest, message, ...idOf(value) }
}

/** Whether the text is a response. Responding to a response could start an endless exchange. */
export function isResponse(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && !('method' in value) && ('result' in value || 'error' in value)
  } catch {
    return false
  }
}

function idOf(value: unknown): Pick<Refusal, 'id'> {
  const { success, data } = RequestIdSchema.safeParse(isRecord(value) ? value.id : undefined)
  return success ? { id: data } : {}
}
