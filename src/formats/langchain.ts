import { ToolMessage } from '@langchain/core/messages'
import {
  DynamicStructuredTool,
  type StructuredToolCallInput,
  ToolInputParsingException,
  type ToolReturnType,
  type ToolRunnableConfig,
} from '@langchain/core/tools'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { ManifestEntry, ToolResult } from '../types/tool.js'
import { imagesOf, toModelText, urlOf } from './call-requests.js'
import { entriesOf, failedCall, run } from './clients/run.js'
import { toAnthropicTool } from './convert-tools.js'

/** A tool of the runtime for LangChain agents and `bindTools`. Its schema is JSON Schema. */
export type LangChainTool = DynamicStructuredTool

/**
 * Converts the tools of a runtime for LangChain and LangGraph. Needs the optional peer `@langchain/core`. The result contains the current
 * manifest: call again after you add or remove tools.
 *
 * Called with a tool call, as agents do, a tool returns a `ToolMessage`: text, or text and images. Its `artifact` is the result of the
 * runtime, and its `status` is `error` for a failure. Called with arguments alone, it returns the text and throws a `ToolCallError`.
 *
 * @throws TypeError without a runtime
 */
export function toLangChainTools(runtime: ToolRuntime): LangChainTool[] {
  return entriesOf('toLangChainTools', runtime).map((entry) => new RuntimeTool(runtime, entry))
}

class RuntimeTool extends DynamicStructuredTool {
  readonly #answer: (input: unknown, config: ToolRunnableConfig | undefined) => Promise<unknown>

  constructor(runtime: ToolRuntime, entry: ManifestEntry) {
    const { name, description, input_schema } = toAnthropicTool(entry)
    const answer = async (input: unknown, config: ToolRunnableConfig | undefined): Promise<unknown> => {
      const id = config?.toolCall?.id
      const result = await run(runtime, entry.name, input, { id, signal: config?.signal })
      if (id !== undefined) return messageOf(result, name, id)
      if (!result.ok) throw failedCall(result)
      return contentOf(result)
    }
    super({ name, description, schema: input_schema, func: (input, _, config) => answer(input, config as ToolRunnableConfig) })
    this.#answer = answer
  }

  /**
   * Runs a call. LangChain validates the input first. If LangChain rejects the input, calls the runtime anyway, because the runtime's
   * message says what to change.
   */
  override async invoke<Input extends StructuredToolCallInput<LangChainTool['schema']>, Config extends ToolRunnableConfig | undefined>(
    input: Input,
    config?: Config,
  ): Promise<ToolReturnType<Input, Config, unknown>> {
    try {
      return await super.invoke(input, config)
    } catch (error) {
      if (!(error instanceof ToolInputParsingException)) throw error
      const call = isToolCall(input) ? { input: input.args, config: { ...config, toolCall: input } } : { input, config }
      return (await this.#answer(call.input, call.config)) as ToolReturnType<Input, Config, unknown>
    }
  }
}

type Called = NonNullable<ToolRunnableConfig['toolCall']>

const isToolCall = (input: unknown): input is Called =>
  typeof input === 'object' && input !== null && 'type' in input && input.type === 'tool_call' && 'args' in input

function messageOf(result: ToolResult, name: string, id: string): ToolMessage {
  const status = result.ok ? 'success' : 'error'
  return new ToolMessage({ content: contentOf(result), artifact: result, name, status, tool_call_id: id })
}

type Content = string | ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[]

function contentOf(result: ToolResult): Content {
  const images = imagesOf(result).map((image) => ({ type: 'image_url' as const, image_url: { url: urlOf(image) } }))
  const text = toModelText(result)
  return images.length === 0 ? text : [{ type: 'text', text }, ...images]
}
