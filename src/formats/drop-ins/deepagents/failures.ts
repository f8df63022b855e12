import { toFailure, toModelText } from '../../../core/result.js'
import { ToolCallError } from '../../../runtime/tool-call-error.js'
import type { ToolError } from '../../../types/tool.js'
import type { Calls } from '../shared/calls.js'
import type { Paths } from './paths.js'
import type { DeepAgentsFileError } from './types.js'

/** Some tools of deepagents show the error text unchanged. Others add "Error: ", so the text must not have this prefix twice. */
type Prefix = 'keep' | 'drop'

/** Does some work, and returns an error as a text for the model. @throws the reason of the signal */
type Settled = <Result>(prefix: Prefix, work: () => Promise<Result>) => Promise<Result | { error: string }>

export function settling(calls: Calls, outer: Paths['outer']): Settled {
  return async (prefix, work) => {
    try {
      return await work()
    } catch (error) {
      const text = explain(failureOf(calls, error), outer)
      return { error: prefix === 'drop' ? text.replace(/^Error: /, '') : text }
    }
  }
}

/** Codes whose hints name parameters that the tools of deepagents do not have, or another kind of path. */
const FOREIGN_HINTS = new Set(['binary_file', 'EFBIG', 'invalid_path'])

function explain({ output: { hint, ...output }, ...failure }: ToolError, outer: Paths['outer']): string {
  const isForeign = FOREIGN_HINTS.has(output.code)
  const text = toModelText({ ...failure, output: hint === undefined || isForeign ? output : { ...output, hint } })
  // Translate only the first path, because the text may also quote the file.
  return text.replace(/"(\/[^"]*)"/, (_, path: string) => `"${outer(path)}"`)
}

/** @throws the reason of the signal */
function failureOf(calls: Calls, error: unknown): ToolError {
  if (calls.signal?.aborted) throw calls.signal.reason
  return error instanceof ToolCallError ? error.result : toFailure(error, { callId: null, tool: '' })
}

/** Null if the work succeeds. @throws the reason of the signal */
export async function problemOf(calls: Calls, work: () => Promise<void>): Promise<DeepAgentsFileError | null> {
  try {
    await work()
    return null
  } catch (error) {
    const { code, status } = failureOf(calls, error).output
    if (code === 'ENOENT') return 'file_not_found'
    if (code === 'EISDIR') return 'is_directory'
    return status === 'denied' ? 'permission_denied' : 'invalid_path'
  }
}
