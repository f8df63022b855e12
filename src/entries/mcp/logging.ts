import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  type LoggingLevel,
  LoggingLevelSchema,
  type LoggingMessageNotification,
  SetLevelRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { RuntimeEvent } from '../../types/runtime.js'
import { type Calls, notify } from './calls.js'

type LogMessage = LoggingMessageNotification['params']

/** From `debug` to `emergency`. */
const LEVELS: readonly LoggingLevel[] = LoggingLevelSchema.options

/** Tells the client what its own calls log, from a level on that it may set. Inputs and outputs are never in it. */
export function serveLogging(server: Server, calls: Calls, level: LoggingLevel): (event: RuntimeEvent) => void {
  let least = LEVELS.indexOf(level)
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    least = LEVELS.indexOf(params.level)
    return {}
  })
  return (event) => {
    const params = messageOf(event)
    if (!params || LEVELS.indexOf(params.level) < least) return
    const asked = calls.of(event.callId)
    if (asked) notify(asked.sendNotification({ method: 'notifications/message', params }))
  }
}

/** Progress has a message of its own. */
function messageOf(event: RuntimeEvent): LogMessage | undefined {
  const { callId } = event
  switch (event.type) {
    case 'progress':
      return undefined
    case 'call_start':
      return { level: 'debug', logger: event.call.name, data: { callId, message: 'The call begins' } }
    case 'log':
      return {
        level: 'info',
        logger: event.tool,
        data: { callId, message: event.message, ...(event.data !== undefined && { data: event.data }) },
      }
    case 'approval':
      return { level: 'notice', logger: event.tool, data: { callId, message: event.approved ? 'Approved' : 'Not approved' } }
    case 'truncated':
      return { level: 'notice', logger: event.tool, data: { callId, message: `${event.bytes} bytes of the output were left out` } }
    case 'call_end': {
      const { call, result, durationMs } = event
      if (result.ok) return { level: 'debug', logger: call.name, data: { callId, message: 'The call has ended', durationMs } }
      // Its words may quote the input.
      return { level: 'warning', logger: call.name, data: { callId, message: 'The call has failed', code: result.output.code, durationMs } }
    }
  }
}
