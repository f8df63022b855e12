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
export type { RanCall, RanToolCalls, UnansweredItem } from './call-results.js'
export type {
  AiSdkDirectoryEntry,
  AiSdkFileStat,
  AiSdkPathOptions,
  AiSdkProcess,
  AiSdkReadTextOptions,
  AiSdkRunOptions,
  AiSdkRunResult,
  AiSdkSandbox,
  AiSdkSandboxOptions,
  AiSdkSpawnOptions,
  AiSdkWritableProcess,
  AiSdkWriteOptions,
  AiSdkWriteTextOptions,
  AnthropicMemory,
  AnthropicMemoryBlock,
  AnthropicMemoryCommands,
  AnthropicMemoryOptions,
  OpenAiCreateFile,
  OpenAiDeleteFile,
  OpenAiEditor,
  OpenAiEditorOptions,
  OpenAiEditResult,
  OpenAiShell,
  OpenAiShellAction,
  OpenAiShellOptions,
  OpenAiShellOutput,
  OpenAiShellResult,
  OpenAiUpdateFile,
} from './drop-ins/index.js'
export { aiSdkSandbox, anthropicMemory, openAiEditor, openAiShell } from './drop-ins/index.js'
export type { OwnTool, OwnToolContext, RunToolCallsOptions } from './run-tool-calls.js'
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
