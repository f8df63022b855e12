import type { Preset } from '../../types/preset.js'
import type { AnyTool } from '../../types/tool.js'
import { fileEditTool } from './file-edit.js'
import { fileReadTool } from './file-read.js'
import { fileWriteTool } from './file-write.js'
import { Guard } from './guard.js'
import { memoryRecallTool } from './memory-recall.js'
import { renderFailure, renderInvalid, renderUnknown, toWire } from './messages.js'
import { shellTool } from './shell.js'
import { MAX_OUTPUT_BYTES } from './shell-output.js'
import type { ZeroclawOptions } from './types.js'

const DEADLINE_MS = 120_000

/**
 * Creates the preset with the documented tools `shell`, `file_read` and `memory_recall`, each of which asks the security policy itself.
 * Tools that the policy excludes are unknown.
 *
 * @throws TypeError or RangeError for invalid security options
 */
export function zeroclaw(options: ZeroclawOptions = {}): Preset {
  const guard = new Guard(options)
  const tools = [shellTool(guard), ...workspaceTools(guard, options), memoryRecallTool(guard)]
  return { ...mannersOf(guard), tools: tools.filter(({ name }) => guard.offers(name)) }
}

/** Creates the tools that need only a workspace. */
export function workspaceTools(guard: Guard, { fileTools }: ZeroclawOptions): AnyTool[] {
  return [fileReadTool(guard), ...(fileTools ? [fileWriteTool(guard), fileEditTool(guard)] : [])]
}

/** Returns the parts of the preset that are independent of its tools: validation, messages and limits. */
export function mannersOf(guard: Guard): Omit<Preset, 'tools'> {
  const shellMs = guard.policy().settings.shellTimeoutSecs * 1000
  return {
    name: 'zeroclaw',
    validation: 'strict',
    renderInvalid,
    renderUnknown,
    renderFailure,
    toWire,
    // Longer than the command's own timeout, and large enough for all of its output.
    limits: { deadlineMs: Math.max(DEADLINE_MS, shellMs * 2), outputBytes: MAX_OUTPUT_BYTES + 64 },
  }
}
