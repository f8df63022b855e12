import { reply } from '../../../core/define-tool.js'
import type { ToolContext, ToolReply } from '../../../types/tool.js'
import { timeLeft } from '../time-left.js'
import type { BackgroundFamily } from './family.js'
import { findSession } from './find.js'
import { type StateFields, stateFields, stateText, unreadText } from './session-fields.js'

export interface StopInput {
  readonly session_id: string
  readonly force: boolean
  readonly grace_ms: number
}

export interface BackgroundStop extends StateFields {
  readonly status: 'stopped' | 'already_stopped'
  /** Whether it had to be killed, since it did not end by itself. */
  readonly escalated: boolean
}

/** What the killing itself may take, of a call that has less time than its grace. */
const KILL_SHARE = 0.5

/** The body of `stop_background_bash` and `stop_background_js`. */
export async function runStop(
  { kind }: BackgroundFamily,
  { session_id, force, grace_ms }: StopInput,
  context: ToolContext,
): Promise<ToolReply<BackgroundStop>> {
  const session = findSession(context, kind, session_id)
  const wasRunning = session.info.state === 'running'
  const graceMs = Math.min(grace_ms, Math.floor(timeLeft(context) * KILL_SHARE))
  const { escalated, ...info } = await session.stop({ force, graceMs })
  const output: BackgroundStop = { status: wasRunning ? 'stopped' : 'already_stopped', ...stateFields(info), escalated }
  const facts = [stateText(output), ...unreadText(info.unread)]
  return reply(output, [{ type: 'text', text: `${doneText(output)}\n[${facts.join(', ')}]` }])
}

function doneText({ status, escalated }: BackgroundStop): string {
  if (status === 'already_stopped') return 'It had ended already'
  return escalated ? 'Killed: it did not end by itself' : 'Stopped'
}
