import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js'
import { notify } from './calls.js'

/** Follows what a connected transport carries: the returned function waits until every request is answered, `ms` at the most. */
export function followAnswers(transport: Transport): (ms: number) => Promise<void> {
  let onEmpty = (): void => {}
  const open = openRequests(transport, () => onEmpty())
  return (ms) =>
    new Promise((resolve) => {
      if (open.size === 0) return resolve()
      const late = setTimeout(resolve, ms)
      onEmpty = () => {
        clearTimeout(late)
        resolve()
      }
    })
}

/** Answers a request itself whose id is that of an open one: the SDK knows requests by their ids, and would forget how to cancel the first. */
export function refuseOpenIds(transport: Transport): void {
  const send = transport.send.bind(transport)
  const open = openRequests(transport)
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    if (!isJSONRPCRequest(message) || !open.has(message.id)) return onmessage?.(message, extra)
    const error = { code: ErrorCode.InvalidRequest, message: `The request ${JSON.stringify(message.id)} is still open: use another id` }
    notify(send({ jsonrpc: '2.0', id: message.id, error }))
  }
}

/** The requests that a connected transport has carried, until they are answered or cancelled: those get no answer. */
function openRequests(transport: Transport, onEmpty = (): void => {}): ReadonlySet<RequestId> {
  const open = new Set<RequestId>()
  const end = (id: RequestId | undefined): void => {
    if (id !== undefined && open.delete(id) && open.size === 0) onEmpty()
  }
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) open.add(message.id)
    end(cancelledBy(message))
    onmessage?.(message, extra)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    try {
      await send(message, options)
    } finally {
      if (!('method' in message)) end(message.id)
    }
  }
  return open
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined
  return message.params?.requestId as RequestId | undefined
}
