import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js'

/** Follows what a connected transport carries: the returned function waits until every request is answered, `ms` at the most. */
export function followAnswers(transport: Transport): (ms: number) => Promise<void> {
  const open = new Set<RequestId>()
  let onEmpty = (): void => {}
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) open.add(message.id)
    onmessage?.(message, extra)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    await send(message, options)
    if ('method' in message || message.id === undefined) return
    open.delete(message.id)
    if (open.size === 0) onEmpty()
  }
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
