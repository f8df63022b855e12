import { ToolCallError } from '../../../runtime/tool-call-error.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import type { CallContext } from '../../../types/runtime.js'
import type { ToolError, ToolResult } from '../../../types/tool.js'

/** Calls the runtime's own tools for one operation of an interface, so policy, approval, limits and events apply. */
export class Calls {
  readonly runtime: ToolRuntime
  readonly signal: AbortSignal | undefined

  constructor(runtime: ToolRuntime, signal: AbortSignal | undefined) {
    this.runtime = runtime
    this.signal = signal
  }

  /** Runs a tool. Never rejects. */
  attempt(name: string, input: unknown, onProgress?: CallContext['onProgress']): Promise<ToolResult> {
    return this.runtime.execute({ name, input }, { ...(this.signal && { signal: this.signal }), ...(onProgress && { onProgress }) })
  }

  /** Runs a tool and returns its output. @throws the reason of the signal; ToolCallError */
  async run<Output>(name: string, input: unknown): Promise<Output> {
    const result = await this.attempt(name, input)
    if (result.ok) return result.output as Output
    throw this.failed(result)
  }

  /** Returns the error to throw for a failure. For an abort, this is the signal's reason. */
  failed(result: ToolError): unknown {
    return this.signal?.aborted ? this.signal.reason : new ToolCallError(result)
  }
}

/** Returns the code of a failed call, such as `ENOENT`; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof ToolCallError ? error.result.output.code : undefined
}
