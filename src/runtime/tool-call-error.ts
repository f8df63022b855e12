import type { ToolError } from '../types/tool.js'

/** A failed call, as `ToolRuntime.call` throws it. `result` is what `execute` would have returned. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError'
  readonly result: ToolError

  constructor(result: ToolError) {
    super(result.error)
    this.result = result
  }
}
