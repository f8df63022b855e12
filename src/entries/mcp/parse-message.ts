import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  RequestIdSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { RawIssue } from '../../core/input-issues.js'
import { isRecord } from '../../ops/is-record.js'
import { idOf, type Refusal } from './http-errors.js'
import { declaresVersion } from './modern-protocol.js'
import { listIssues } from './request-gate.js'

/** The error for a text that is not a valid message. */
export interface Unreadable extends Pick<Refusal, 'code' | 'message' | 'id'> {
  /**
   * Whether the sender expects no answer: the text is a notification, or looks like a response. Answering a response could start an endless
   * exchange.
   */
  readonly isUnanswered?: boolean
}

/** The only protocol version with batches, and the version of HTTP requests that name none. */
export const BATCH_VERSION = '2025-03-26'
/** Maximum number of messages in a batch. The transport of the SDK rejects larger batches. */
const MOST_IN_BATCH = 100

const { ParseError, InvalidRequest, InvalidParams } = ErrorCode

/**
 * Parses a JSON-RPC message, or a batch of them.
 *
 * @param version the version of the connection; undefined before `initialize`
 */
export function parseMessages(
  text: string,
  version: string | undefined,
): JSONRPCMessage | Unreadable | readonly (JSONRPCMessage | Unreadable)[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { code: ParseError, message: 'Cannot read the message: it is not JSON. Send one JSON object.' }
  }
  if (!Array.isArray(value)) return toMessage(value)
  const batch = value.slice(0, MOST_IN_BATCH + 1).map(toMessage)
  const problem = batchProblem(batch, version)
  return problem === undefined ? batch : { code: InvalidRequest, message: `Cannot take a batch: ${problem}` }
}

function toMessage(value: unknown): JSONRPCMessage | Unreadable {
  const { data, success } = JSONRPCMessageSchema.safeParse(value)
  if (success) return data
  const wrong = wrongParams(value)
  if (wrong) return wrong
  const message =
    'Cannot read the message: it is not JSON-RPC. Send an object with "jsonrpc": "2.0", "method" and, for a request, a string or integer "id".'
  const id = RequestIdSchema.safeParse(isRecord(value) ? value.id : undefined)
  const isUnanswered = isRecord(value) && !('method' in value) && ('result' in value || 'error' in value)
  return { code: InvalidRequest, message, isUnanswered, ...(id.success && { id: id.data }) }
}

/** Returns the error for a request or a notification whose only mistakes are in `params`; undefined for other values. */
function wrongParams(value: unknown): Unreadable | undefined {
  if (!isRecord(value)) return undefined
  const id = RequestIdSchema.safeParse(value.id)
  const issues: readonly RawIssue[] = (id.success ? JSONRPCRequestSchema : JSONRPCNotificationSchema).safeParse(value).error?.issues ?? []
  if (issues.some(({ path }) => path?.[0] !== 'params')) return undefined
  const message = `Cannot read the message: ${listIssues(issues, value)}. Correct the parameters and send the message again.`
  return { code: InvalidParams, message, ...(id.success ? { id: id.data } : { isUnanswered: true }) }
}

/** Returns why a batch is rejected as a whole; undefined for a valid batch. */
function batchProblem(batch: readonly (JSONRPCMessage | Unreadable)[], version: string | undefined): string | undefined {
  if (version !== BATCH_VERSION) {
    const own = version === undefined ? 'before "initialize" there is no version' : `this client uses ${version.slice(0, 100)}`
    return `only the protocol ${BATCH_VERSION} has batches, and ${own}. Send each message by itself.`
  }
  if (batch.length === 0) return 'it is empty. Send at least one message.'
  if (batch.length > MOST_IN_BATCH) return `it has more than ${MOST_IN_BATCH} messages. Send several batches.`
  const messages = batch.filter((part) => 'jsonrpc' in part)
  const alone = messages.find((part) => 'method' in part && (part.method === 'initialize' || declaresVersion(part)))
  if (alone) return '"initialize" and requests that name their own version stand alone. Send them by themselves.'
  const ids = messages.flatMap((part) => idOf(part).id ?? [])
  const twice = ids.find((id, at) => ids.indexOf(id) < at)
  if (twice !== undefined) return `two of its requests have the id ${JSON.stringify(twice).slice(0, 100)}. Give each its own.`
  return undefined
}
