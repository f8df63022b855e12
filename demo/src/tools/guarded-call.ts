import { type CallRecord, callTool, nextCallId } from '../calls.js'
import type { GuardedAgent } from '../session.js'
import type { Approvals } from './approvals.js'
import type { Asker } from './call-gate.js'

/** Context of a call. */
export interface Circumstances {
  readonly signal: AbortSignal
  readonly policy: Asker['policy']
  readonly approvals: Approvals
}

/** Runs a call of the user under the preset's policy and the user's policy. Never rejects. */
export async function guardedCall(
  agent: GuardedAgent,
  tool: string,
  input: CallRecord['input'],
  { signal, policy, approvals }: Circumstances,
): Promise<CallRecord> {
  const { runtime, gate } = agent
  const id = nextCallId()
  const begun = document.activeElement
  const before = approvals.waited
  const mayAsk = agent.asks || policy() === 'ask'
  const deadlineMs = mayAsk ? runtime.limits.deadlineMs : agent.deadlineMs
  const asker: Asker = { policy, ask: (question) => approvals.ask(question, agent, begun) }
  const record = await gate.answering(runtime, { id, tool }, asker, () => callTool(agent, tool, input, { signal, deadlineMs }, id))
  // Excludes the time that the user took to answer.
  return { ...record, duration: Math.max(0, record.duration - (approvals.waited - before)) }
}
