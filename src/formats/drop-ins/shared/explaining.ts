import { toFailure, toModelText } from '../../../core/result.js'
import { ToolCallError } from '../../../runtime/tool-call-error.js'
import type { ToolError } from '../../../types/tool.js'
import type { Calls } from './calls.js'

/** Codes whose hints name parameters that the tools of the package do not have, or another kind of path. */
const FOREIGN_HINTS = new Set(['binary_file', 'EFBIG', 'invalid_path'])

/** The text of a failure for a model that sees other paths than the workspace: `outer` translates them. Begins with `Error: `. */
export function explain({ output: { hint, ...output }, ...failure }: ToolError, outer: (path: string) => string): string {
  const isForeign = FOREIGN_HINTS.has(output.code)
  const text = toModelText({ ...failure, output: hint === undefined || isForeign ? output : { ...output, hint } })
  // Translate only the first line, because the others may quote the file.
  return text.replace(/^.*/, (line) => line.replace(/"(\/[^"]*)"/g, (_, path: string) => `"${outer(path)}"`))
}

/** @throws the reason of the signal */
export function failureOf(calls: Calls, error: unknown): ToolError {
  if (calls.signal?.aborted) throw calls.signal.reason
  return error instanceof ToolCallError ? error.result : toFailure(error, { callId: null, tool: '' })
}
