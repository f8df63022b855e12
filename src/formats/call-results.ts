import type { ToolResult } from '../types/tool.js'

export interface RanCall {
  /** The provider's; where it gives none, a number. */
  readonly id: string
  /** The tool's own name, where the runtime has it. */
  readonly name: string
  readonly input: unknown
  readonly result: ToolResult
}

/** What a response asks for and no call of a tool answers: `computer_call`, `mcp_approval_request` and the like. */
export interface UnansweredItem {
  /** As the provider has it. */
  readonly type: string
  readonly id: string
}

export interface RanToolCalls {
  readonly provider: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'
  /** In the order of the response. Empty, and nothing `unanswered`: the model has said what it wanted to say. */
  readonly calls: readonly RanCall[]
  /** Left to the program, which has to add its answers to `messages`: the provider refuses a conversation without them. */
  readonly unanswered: readonly UnansweredItem[]
  /** What the model said, as it has to be sent back. */
  readonly reply: readonly unknown[]
  /** The results, as they have to be sent back after it. Where a response is named (`previous_response_id`), these alone. */
  readonly results: readonly unknown[]
  /** `reply` and `results`: to be appended to the conversation. */
  readonly messages: readonly unknown[]
}
