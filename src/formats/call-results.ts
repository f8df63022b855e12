import type { ToolResult } from '../types/tool.js'

/** One executed call of a response. */
export interface RanCall {
  /** The provider's id, or a number if the provider gives none. */
  readonly id: string
  /** The tool's own name if the runtime has the tool, else the name from the response. */
  readonly name: string
  readonly input: unknown
  readonly result: ToolResult
}

/** An item of a response that no tool call answers: `computer_call`, `mcp_approval_request` and the like. */
export interface UnansweredItem {
  /** The provider's type. */
  readonly type: string
  readonly id: string
}

/** The executed calls of a response, with the messages to send back. */
export interface RanToolCalls<Reply = unknown, Result = unknown> {
  readonly provider: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'
  /** The executed calls, in the order of the response. If `calls` and `unanswered` are both empty, the model has finished. */
  readonly calls: readonly RanCall[]
  /**
   * Items that no tool call answers. Your program must add answers for these items to `messages`, because the provider rejects a
   * conversation without them.
   */
  readonly unanswered: readonly UnansweredItem[]
  /** The model's own messages, in the form to send back. */
  readonly reply: Reply[]
  /** The results, in the form to send back after `reply`. With `previous_response_id`, send only these. */
  readonly results: Result[]
  /** `reply` and `results`. Append them to the conversation. */
  readonly messages: (Reply | Result)[]
}
