import { failure, toFailure } from '../core/result.js'
import { FsError } from '../errors/index.js'
import type { ToolResult } from '../types/tool.js'
import { emitLog, type Job, type Surroundings } from './call-context.js'
import { stoppedCall } from './run-tool.js'

/**
 * Hands a result on when what its call wrote is stored, on storages that acknowledge a write before it is. A success that could not be
 * stored becomes a failure: what the call did is there now, and may be gone when the page is. Never rejects.
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
  // A call that failed says why it did.
  if (!result.ok) emitLog(events, job, `What "${job.tool}" did may be lost: ${error}`)
  return result.ok ? failure(output.code, `What "${job.tool}" did is not stored, and may be lost: ${error}`, call) : result
}

/** Adapters name their own root. */
function storeError(error: unknown, path: string): unknown {
  if (!FsError.is(error)) return error
  const { code, detail } = error
  return new FsError({ code, op: 'store', path, ...(detail !== undefined && { detail }) })
}
