import { ToolCallError } from '../../../runtime/tool-call-error.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import type { ToolError, ToolResult } from '../../../types/tool.js'

/** Calls of a runtime's own tools within one operation of an interface: policy, approval, limits and events are those of any call. */
export class Calls {
  readonly runtime: ToolRuntime
  readonly signal: AbortSignal | undefined

  constructor(runtime: ToolRuntime, signal: AbortSignal | undefined) {
    this.runtime = runtime
    this.signal = signal
  }

  /** Never rejects. */
  attempt(name: string, input: unknown): Promise<ToolResult> {
    return this.runtime.execute({ name, input }, this.signal ? { signal: this.signal } : {})
  }

  /** The output. @throws the reason of the signal; ToolCallError */
  async run<Output>(name: string, input: unknown): Promise<Output> {
    const result = await this.attempt(name, input)
    if (result.ok) return result.output as Output
    throw this.failed(result)
  }

  /** What a failure is thrown as: an abort as what the caller gave for its reason. */
  failed(result: ToolError): unknown {
    return this.signal?.aborted ? this.signal.reason : new ToolCallError(result)
  }
}

/** The code of a call that failed, `ENOENT` for one; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof ToolCallError ? error.result.output.code : undefined
}
