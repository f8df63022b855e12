export type {
  AiSdkApproval,
  AiSdkCallOptions,
  AiSdkModelOutput,
  AiSdkOutput,
  AiSdkProgress,
  AiSdkSchema,
  AiSdkTool,
  AiSdkToolsOptions,
} from './ai-sdk.js'
export { aiSdkApproval, toAiSdkModelOutput, toAiSdkTools } from './ai-sdk.js'
export type {
  AnthropicToolContext,
  AnthropicToolEntry,
  AnthropicToolOutcome,
  AnthropicTools,
  AnthropicToolsOptions,
} from './anthropic-tools.js'
export { anthropicTools } from './anthropic-tools.js'
export type { RanCall, RanToolCalls } from './ran.js'
export type { OwnTool, RunToolCallsOptions } from './run-tool-calls.js'
export { runToolCalls } from './run-tool-calls.js'
export type { StrictSchema } from './strict.js'
export { toStrict } from './strict.js'
export type {
  AnthropicTool,
  GeminiTools,
  ManifestSource,
  McpTool,
  OpenAiChatTool,
  OpenAiFunction,
  OpenAiOptions,
  OpenAiResponsesTool,
  Tools,
} from './tools.js'
export { toAnthropicTools, toGeminiTools, toMcpTools, toOpenAiChatTools, toOpenAiResponsesTools } from './tools.js'
