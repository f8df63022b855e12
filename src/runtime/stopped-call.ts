import { type Answered, failure } from '../core/result.js'
import type { ToolError } from '../types/tool.js'
import type { Job } from './call-context.js'

/** Creates the result of a call that its deadline or its caller stopped, and whose tool returned nothing: `timeout` or `aborted`. */
export function stoppedCall(job: Job): ToolError {
  if (job.scope.stopped !== 'timeout') return failure('aborted', `Cannot finish "${job.tool}": the call was aborted`, answered(job))
  return failure('timeout', `Cannot finish "${job.tool}": its deadline of ${job.deadlineMs} ms passed`, answered(job))
}

/** Identifies the call in a failure. */
export const answered = ({ id, tool }: Job): Answered => ({ callId: id, tool })
