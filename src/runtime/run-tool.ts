import { failure, toFailure } from '../core/result.js'
import type { RegisteredTool, ToolRegistry } from '../core/tool-registry.js'
import { hasCode } from '../errors/index.js'
import { utf8Length } from '../ops/utf8.js'
import type { ToolResult, ToolSuccess } from '../types/tool.js'
import type { Workspace } from '../types/workspace.js'
import { createContext, emitLog, type Job, type Surroundings } from './call-context.js'
import { markAsData } from './mark-data.js'
import { answered, stoppedCall } from './stopped-call.js'
import { cutText, modelText, readOutput, withText } from './tool-output.js'

/** Names of the presets' tools that can show a part of a file. */
const READERS = ['read_file', 'file_read'] as const

/** Runs the tool on valid input and converts its outcome, including exceptions, to a result. Never rejects. */
export async function runTool(
  around: Surroundings,
  registry: ToolRegistry,
  job: Job,
  entry: RegisteredTool,
  input: unknown,
): Promise<ToolResult> {
  let returned: unknown
  try {
    returned = entry.tool.run(input, createContext(around, job))
  } catch (error) {
    return job.scope.stopped ? stoppedCall(job) : toFailure(error, answered(job))
  }
  if (isThenable(returned)) {
    const outcome = await job.scope.wait(returned)
    if (outcome.kind === 'stopped' || (outcome.kind === 'error' && job.scope.stopped)) return stoppedCall(job)
    if (outcome.kind === 'error') return toFailure(outcome.error, answered(job))
    returned = outcome.value
  }
  const output = readOutput(returned, entry.tool, (message) => emitLog(around.events, job, message))
  if (!output.ok) return failure('tool_threw', `Cannot use the result of "${job.tool}": ${output.message}`, answered(job))
  const success = output.size <= around.limits.outputBytes ? output.success : await fitOutput(around, registry, job, output.success)
  return around.markData && job.depth === 0 ? markAsData(success) : success
}

/** Whether a value is a promise. If a getter throws, returns false: `readOutput` then reports the unreadable output. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null) return false
  try {
    return 'then' in value && typeof value.then === 'function'
  } catch {
    return false
  }
}

/** Truncates the text for the model. The output itself stays complete. */
async function fitOutput(around: Surroundings, registry: ToolRegistry, job: Job, success: ToolSuccess): Promise<ToolSuccess> {
  const { outputBytes } = around.limits
  const text = modelText(success)
  if (utf8Length(text) <= outputBytes) return success
  const spilled = around.spill && !around.workspace.readOnly ? await keepWhole(around, job, text) : undefined
  const reader = READERS.find((name) => registry.list().some((tool) => tool.name === name))
  const shown = cutText(text, outputBytes, spilled, reader)
  if (around.events.wanted) {
    around.events.emit({ type: 'truncated', callId: job.id, tool: job.tool, bytes: shown.cut, ...(spilled !== undefined && { spilled }) })
  }
  return withText(success, shown.text)
}

/** Saves the full text and returns its path. On failure returns undefined and logs the reason, because the call itself succeeded. */
async function keepWhole(around: Surroundings, job: Job, text: string): Promise<string | undefined> {
  try {
    return await job.scope.within(spillOutput(around.workspace, job.id, text))
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it was stopped'
    emitLog(around.events, job, `Cannot save the full output: ${why}`)
    return undefined
  }
}

/** Folder for full outputs, relative to the root. Walks skip this folder. */
const FOLDER = '.toolport/outputs'
const MOST_ATTEMPTS = 16
/** Number of attempts with numbered names. Later names are random, because outputs of earlier runs may use all low numbers. */
const COUNTED_ATTEMPTS = 8

/** Writes a truncated output to a new file and returns its virtual path. @throws errors of the workspace */
async function spillOutput(workspace: Workspace, callId: string, text: string): Promise<string> {
  const root = workspace.root === '/' ? '' : workspace.root
  const base = `${root}/${FOLDER}/${fileName(callId)}`
  // Write bytes, because `writeText` rejects a lone surrogate. The encoder replaces it by U+FFFD.
  const bytes = new TextEncoder().encode(text)
  for (let attempt = 1; ; attempt++) {
    try {
      const { path } = await workspace.writeBytes(`${base}${suffix(workspace, attempt)}.txt`, bytes, { mode: 'create' })
      return path
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !hasCode(error, 'EEXIST')) throw error
    }
  }
}

/**
 * Returns a suffix that makes a file name unique: two ids may map to one name, and an id may recur. Existing files stay, because a model
 * may already have the path of an older output.
 */
function suffix({ host }: Workspace, attempt: number): string {
  if (attempt === 1) return ''
  return `_${attempt <= COUNTED_ATTEMPTS ? attempt : Math.floor(host.random() * 1e9)}`
}

/** Converts a call id to a file name. The id comes from outside, so it must not form a path. */
function fileName(callId: string): string {
  return callId.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 80)
}
