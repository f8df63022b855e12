/** The answer to one call of Chat Completions. */
export interface OpenAiToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/** Images of tool results for Chat Completions, where messages of the role `tool` contain only text. */
export interface OpenAiImageMessage {
  role: 'user'
  content: ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[]
}

/** The text of a result, or its text and images, in the Responses API. `image_url` is a data URL. */
export type OpenAiOutput = string | ({ type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'auto' })[]

/** The outcome of one command in a `shell_call_output`. */
export interface OpenAiShellOutputChunk {
  stdout: string
  stderr: string
  outcome: { type: 'exit'; exit_code: number } | { type: 'timeout' }
}

/** The answer to one item of the Responses API. */
export type OpenAiOutputItem =
  | { type: 'function_call_output'; call_id: string; output: OpenAiOutput }
  | { type: 'custom_tool_call_output'; call_id: string; output: OpenAiOutput }
  | { type: 'shell_call_output'; call_id: string; output: OpenAiShellOutputChunk[]; max_output_length?: number }
  | { type: 'local_shell_call_output'; id: string; output: string }
  | { type: 'apply_patch_call_output'; call_id: string; status: 'completed' | 'failed'; output: string }

/** The image types of the Messages API. */
export type AnthropicImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

/** Text or an image of a result in the Messages API. `data` is base64. */
export type AnthropicResultPart =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: AnthropicImageType; data: string } }

/** The answers to the calls of one message of Anthropic's Messages API. */
export interface AnthropicResultMessage {
  role: 'user'
  content: { type: 'tool_result'; tool_use_id: string; content: string | AnthropicResultPart[]; is_error?: true }[]
}

/** The answer to one call of the Gemini API, or an image of an answer. `data` is base64. */
export type GeminiResultPart =
  | { functionResponse: { id?: string; name: string; response: { output: string } | { error: string } } }
  | { inlineData: { mimeType: string; data: string } }

/** The results of the function calls in one Gemini response. */
export interface GeminiResultContent {
  role: 'user'
  parts: GeminiResultPart[]
}

/** The types of `reply` and `results` for a response of a provider's SDK; `unknown` for other responses. */
export type MessagesOf<ModelResponse> = 0 extends 1 & ModelResponse
  ? Unknown
  : ModelResponse extends { choices: readonly { message: infer Message }[] }
    ? { reply: Message; result: OpenAiToolMessage | OpenAiImageMessage }
    : ModelResponse extends { output: readonly (infer Item)[] }
      ? { reply: SentBack<Item>; result: OpenAiOutputItem }
      : ModelResponse extends { role: 'assistant'; content: readonly (infer Block)[] }
        ? { reply: { role: 'assistant'; content: Block[] }; result: AnthropicResultMessage }
        : 'candidates' extends keyof ModelResponse
          ? GeminiMessages<ModelResponse>
          : Unknown

/** Converts the types of items that the OpenAI SDK declares more loosely in responses than in requests. */
type SentBack<Item> = Item extends { type: 'additional_tools' }
  ? Item & { role: 'developer' }
  : Item extends { type: 'computer_call_output' }
    ? Item & { status: 'completed' | 'in_progress' | 'incomplete' }
    : Item

type Unknown = { reply: unknown; result: unknown }

type GeminiMessages<ModelResponse> = ModelResponse extends { candidates?: readonly { content?: infer Content }[] }
  ? { reply: NonNullable<Content>; result: GeminiResultContent }
  : Unknown
