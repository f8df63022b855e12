import { failure, toFailure } from '../core/result.js'
import { FsError } from '../errors/index.js'
import type { ToolResult } from '../types/tool.js'
import { emitLog, type Job, type Surroundings } from './call-context.js'
import { stoppedCall } from './stopped-call.js'

/**
 * Waits until the writes of a call are stored, on storages that acknowledge writes before they store them. If storing fails, a success
 * becomes a failure, because the changes may be lost with the page. Never rejects.
 */
export async function storeWrites({ workspace, events }: Surroundings, job: Job, result: ToolResult): Promise<ToolResult> {
  const storing = (async () => workspace.flush())()
  if (job.scope.stopped && !result.ok) {
    storing.catch(() => undefined)
    return result
  }
  const outcome = await job.scope.wait(storing)
  if (outcome.kind === 'value') return result
  if (outcome.kind === 'stopped') return result.ok ? stoppedCall(job) : result
  const call = { callId: job.id, tool: job.tool }
  const { output, error } = toFailure(storeError(outcome.error, workspace.root), call)
  // A failed call keeps its own error.
  if (!result.ok) emitLog(events, job, `The changes of "${job.tool}" may be lost: ${error}`)
  return result.ok ? failure(output.code, `The changes of "${job.tool}" are not stored and may be lost: ${error}`, call) : result
}

/** Converts the path of a storage error, because adapters use paths below their own root. */
function storeError(error: unknown, path: string): unknown {
  if (!FsError.is(error)) return error
  const { code, detail } = error
  return new FsError({ code, op: 'store', path, ...(detail !== undefined && { detail }) })
}
