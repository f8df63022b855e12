import type { ToolResult } from '../../../types/tool.js'
import type { Calls } from './calls.js'
import { readPage } from './reading.js'

/**
 * Changes a file. If the runtime rejects the change because the file differs from the runtime's last read or write (`ESTALE`), tries again.
 * A caller of these interfaces may have read the latest version with a command, which the runtime does not notice, and may have no tool to
 * read the file again.
 */
export async function changeAnyway(calls: Calls, path: string, name: string, input: unknown): Promise<ToolResult> {
  const result = await calls.attempt(name, input)
  if (result.ok || result.output.code !== 'ESTALE') return result
  // Reading one byte records the current version. If reading fails, the second attempt reports why.
  await readPage(calls, path, 0, 1).catch(() => undefined)
  return calls.attempt(name, input)
}
