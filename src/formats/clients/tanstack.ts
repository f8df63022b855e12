import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ToolResult } from '../../types/tool.js'
import { imagesOf, toModelText } from '../call-requests.js'
import { type ObjectSchema, toAnthropicTool } from '../convert-tools.js'
import { entriesOf, failedCall, run } from './run.js'

/** Text or an image of a result. `value` is base64. */
export type TanStackPart = { type: 'text'; content: string } | { type: 'image'; source: { type: 'data'; value: string; mimeType: string } }

/** The part of TanStack AI's execution context that the tools use. `toolCallId` becomes the id of the call in the runtime's events. */
export interface TanStackCallContext {
  readonly toolCallId?: string
  readonly abortSignal?: AbortSignal
}

/** One server tool for `tools` of `chat` of `@tanstack/ai`. */
export interface TanStackTool {
  __toolSide: 'server'
  name: string
  description: string
  /** JSON Schema, which TanStack AI does not check: the runtime validates the input. */
  inputSchema: ObjectSchema
  /** @throws ToolCallError for a failed call; TanStack AI sends its message as `error` */
  execute: (input: unknown, context?: TanStackCallContext) => Promise<TanStackPart[]>
}

/**
 * Converts the tools of a runtime for TanStack AI. The result contains the current manifest: call again after you add or remove tools.
 *
 * @throws TypeError without a runtime
 */
export function toTanStackTools(runtime: ToolRuntime): TanStackTool[] {
  return entriesOf('toTanStackTools', runtime).map((entry) => {
    const { name, description, input_schema } = toAnthropicTool(entry)
    return {
      __toolSide: 'server',
      name,
      description,
      inputSchema: input_schema,
      async execute(input, { toolCallId, abortSignal } = {}) {
        const result = await run(runtime, entry.name, input, { id: toolCallId, signal: abortSignal })
        if (!result.ok) throw failedCall(result)
        return partsOf(result)
      },
    }
  })
}

/**
 * Returns the parts of a result. Never returns a plain string, because TanStack AI would parse a string that is valid JSON and send it in
 * another form.
 */
function partsOf(result: ToolResult): TanStackPart[] {
  const images = imagesOf(result).map(({ mediaType, data }): TanStackPart => {
    return { type: 'image', source: { type: 'data', value: data, mimeType: mediaType } }
  })
  return [{ type: 'text', content: toModelText(result) }, ...images]
}
