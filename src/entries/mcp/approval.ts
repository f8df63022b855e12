import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { required } from '../../errors/required.js'
import type { ApprovalRequest } from '../../types/runtime.js'
import { describeApproval } from '../shared/describe-approval.js'
import { callerOf } from './calls.js'

/** Maximum delay of a timer in milliseconds. The deadline of the call ends the question earlier. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * The function `approve` for the policy of a runtime that MCP clients use. Asks the user of the client that made the call (elicitation).
 * Returns false for calls without a client, for nested calls, if the client does not support elicitation, and for every answer except
 * acceptance.
 */
export async function approveByMcpClient(request: ApprovalRequest): Promise<boolean> {
  required('approveByMcpClient', 'the request that a runtime gives to `approve`', request, 'callId')
  const caller = callerOf(request.callId)
  if (!caller?.canAsk) return false
  const params = { message: describeApproval(request), requestedSchema: { type: 'object' as const, properties: {} } }
  try {
    const options = { signal: request.signal, timeout: LONGEST_MS }
    const { action } = await caller.asked.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, options)
    return action === 'accept'
  } catch {
    // The client has disconnected or does not answer.
    return false
  }
}
