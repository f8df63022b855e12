import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { type AnthropicTool, toAnthropicTool } from '../convert-tools.js'
import { anthropicContent } from '../dialects.js'
import type { AnthropicResultPart } from '../messages.js'
import { entriesOf, failedCall, run } from './run.js'

/** The part of the SDK's run context that the tools use. `toolUse.id` becomes the id of the call in the runtime's events. */
export interface AnthropicRunContext {
  readonly toolUse?: { readonly id: string }
  readonly signal?: AbortSignal | null | undefined
}

/** One entry of `tools` for `client.beta.messages.toolRunner` of the Anthropic SDK. */
export interface AnthropicRunnableTool extends AnthropicTool {
  /** Returns the input unchanged, because the runtime validates it. */
  readonly parse: (input: unknown) => unknown
  /**
   * Runs a call. Resolves to text, or text and images. @throws ToolCallError for a failed call; the SDK sends its message with `is_error`
   */
  readonly run: (input: unknown, context?: AnthropicRunContext) => Promise<string | AnthropicResultPart[]>
}

/**
 * Converts the tools of a runtime for the tool runner of the Anthropic SDK. The result contains the current manifest: call again after you
 * add or remove tools.
 *
 * @throws TypeError without a runtime
 */
export function toAnthropicRunnableTools(runtime: ToolRuntime): AnthropicRunnableTool[] {
  return entriesOf('toAnthropicRunnableTools', runtime).map((entry) => ({
    ...toAnthropicTool(entry),
    parse: (input) => input,
    async run(input, { toolUse, signal } = {}) {
      const result = await run(runtime, entry.name, input, { id: toolUse?.id, signal })
      if (!result.ok) throw failedCall(result)
      return anthropicContent(result)
    },
  }))
}
