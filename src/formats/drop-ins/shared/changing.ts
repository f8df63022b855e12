import type { ToolResult } from '../../../types/tool.js'
import type { Calls } from './calls.js'
import { readPage } from './reading.js'

/**
 * Changes a file even if the runtime does not know its version. The runtime rejects changes of a file that differs from its last read or
 * write. Users of these interfaces may have read the file with a command, which the runtime does not see, and may have no tool to read it
 * again.
 */
export async function changeAnyway(calls: Calls, path: string, name: string, input: unknown): Promise<ToolResult> {
  const result = await calls.attempt(name, input)
  if (result.ok || result.output.code !== 'ESTALE') return result
  // Reading one byte records the current version. If reading fails, the second attempt reports why.
  await readPage(calls, path, 0, 1).catch(() => undefined)
  return calls.attempt(name, input)
}
