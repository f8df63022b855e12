import type { ToolResult } from '../../../types/tool.js'
import type { Calls } from './calls.js'
import { readPage } from './reading.js'

/**
 * A call that changes a file whatever it has become. The runtime refuses a change of a file that is not as it was last read or written
 * through it. Whoever works through one of these interfaces reads files by commands too, of which the runtime knows nothing, and has
 * maybe no other tool to read it again with.
 */
export async function changeAnyway(calls: Calls, path: string, name: string, input: unknown): Promise<ToolResult> {
  const result = await calls.attempt(name, input)
  if (result.ok || result.output.code !== 'ESTALE') return result
  // One byte makes the present version known. Where it cannot be read, the second attempt says why.
  await readPage(calls, path, 0, 1).catch(() => undefined)
  return calls.attempt(name, input)
}
