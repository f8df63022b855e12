import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { required } from '../../errors/required.js'
import type { ApprovalRequest } from '../../types/runtime.js'
import { callerOf } from './calls.js'
import { elicitationFor } from './retried-approval.js'

/** Maximum delay of a timer in milliseconds. The deadline of the call ends the question earlier. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * The function `approve` for the policy of a runtime that MCP clients use. Asks the user of the client that made the call (elicitation).
 * Returns false for calls without a client, for nested calls, if the client does not support elicitation, and for every answer except
 * acceptance. In the protocol version 2026-07-28, the first call returns false and ends, and the client repeats it with the answer.
 */
export async function approveByMcpClient(request: ApprovalRequest): Promise<boolean> {
  required('approveByMcpClient', 'the request that a runtime gives to `approve`', request, 'callId')
  const caller = callerOf(request.callId)
  if (caller?.retried) return caller.retried.ask(request)
  if (!caller?.canAsk) return false
  const params = elicitationFor(request)
  try {
    const options = { signal: request.signal, timeout: LONGEST_MS }
    const { action } = await caller.asked.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, options)
    return action === 'accept'
  } catch {
    // The client has disconnected or does not answer.
    return false
  }
}
