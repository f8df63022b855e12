import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { required } from '../../errors/required.js'
import type { ApprovalRequest } from '../../types/runtime.js'
import { describeApproval } from '../shared/describe-approval.js'
import { callerOf } from './calls.js'

/** The longest that timers can wait: the call's own deadline ends the question. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * An `approve` for the policy of a runtime that MCP clients use: asks the person at the client that made the call (elicitation). False for
 * calls that no client made, calls that a tool makes within a call, a client that cannot ask, and every answer but acceptance.
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
    // The client is gone, or does not answer.
    return false
  }
}
