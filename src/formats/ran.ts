import type { ToolResult } from '../types/tool.js'

export interface RanCall {
  /** The provider's; where it gives none, a number. */
  readonly id: string
  /** The tool's own name, where the runtime has it. */
  readonly name: string
  readonly input: unknown
  readonly result: ToolResult
}

export interface RanToolCalls {
  readonly provider: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'
  /** In the order of the response. Empty: the model has said what it wanted to say. */
  readonly calls: readonly RanCall[]
  /** What the model said, as it has to be sent back. */
  readonly reply: readonly unknown[]
  /** The results, as they have to be sent back after it. Where a response is named (`previous_response_id`), these alone. */
  readonly results: readonly unknown[]
  /** `reply` and `results`: to be appended to the conversation. */
  readonly messages: readonly unknown[]
}
