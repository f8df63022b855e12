import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Host } from '../../types/host.js'
import { CLOSED, type Refusal, refuse } from './http-errors.js'
import { parseMessages, type Unreadable } from './parse-message.js'

export interface ReadLimits {
  readonly maxBytes: number
  /** Maximum milliseconds until the whole body has arrived. */
  readonly ms: number
  readonly host: Pick<Host, 'sleep'>
  readonly closing: Closing
}

/** Tells pending reads that the handler shuts down. Not an AbortSignal, because Node would report one listener per request as a leak. */
export interface Closing {
  begun: boolean
  /** Called when the shutdown begins. */
  readonly stops: Set<() => void>
}

const JSON_TYPE = /^application\/json[\t ]*(;|$)/i

/** Reads the single message of a POST, or returns an error response. Reads no more than the limits allow. */
export async function readMessage(request: Request, limits: ReadLimits, version?: string): Promise<JSONRPCMessage | Response> {
  const messages = await readMessages(request, limits, version)
  return messages instanceof Response ? messages : (messages[0] as JSONRPCMessage)
}

/**
 * Reads all messages of a POST, for protocol versions with batches; `version` is undefined before `initialize`. Rejects a whole batch if
 * one message is invalid.
 */
export async function readMessages(
  request: Request,
  limits: ReadLimits,
  version: string | undefined,
): Promise<readonly JSONRPCMessage[] | Response> {
  const unfit = unfitHeaders(request.headers)
  if (unfit) return refuse(unfit)
  const body = await readBody(request, limits)
  if (typeof body !== 'string') return refuse(body)
  const parsed = [parseMessages(body, version)].flat()
  const wrong = parsed.find((part): part is Unreadable => !('jsonrpc' in part))
  return wrong ? refuse({ status: 400, ...wrong }) : (parsed as readonly JSONRPCMessage[])
}

function unfitHeaders(headers: Headers): Refusal | undefined {
  const accept = headers.get('accept') ?? ''
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
    return { status: 406, code: -32000, message: 'Cannot answer: "Accept" has to have both application/json and text/event-stream' }
  }
  if (JSON_TYPE.test(headers.get('content-type') ?? '')) return undefined
  return { status: 415, code: -32000, message: 'Cannot read the body: "Content-Type" has to be application/json' }
}

async function readBody(request: Request, { maxBytes, ms, host, closing }: ReadLimits): Promise<string | Refusal> {
  const tooLarge: Refusal = { status: 413, code: -32000, message: `Cannot read the body: it is larger than ${maxBytes} bytes` }
  if (Number(request.headers.get('content-length')) > maxBytes) return tooLarge
  if (closing.begun) return CLOSED
  if (!request.body) return ''
  const reader = request.body.getReader()
  let refusal: Refusal | undefined
  const stop = (why: Refusal): void => {
    refusal ??= why
    reader.cancel().catch(() => {})
  }
  const over = new AbortController()
  const onClosing = (): void => stop(CLOSED)
  closing.stops.add(onClosing)
  void host.sleep(ms, over.signal).then(() => {
    if (!over.signal.aborted) stop({ status: 408, code: -32000, message: `Cannot read the body: it did not come within ${ms} ms` })
  })
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for (let next = await reader.read(); !next.done && !refusal; next = await reader.read()) {
      bytes += next.value.byteLength
      if (bytes > maxBytes) stop(tooLarge)
      else text += decoder.decode(next.value, { stream: true })
    }
    return refusal ?? text + decoder.decode()
  } catch {
    return refusal ?? { status: 400, code: ErrorCode.ParseError, message: 'Cannot read the body: it broke off' }
  } finally {
    over.abort()
    closing.stops.delete(onClosing)
  }
}
