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
export type { AnthropicRunContext, AnthropicRunnableTool } from './clients/anthropic.js'
export { toAnthropicRunnableTools } from './clients/anthropic.js'
export type { GeminiCallableOptions, GeminiCallableTool, GeminiFunctionCall } from './clients/gemini.js'
export { toGeminiCallableTool } from './clients/gemini.js'
export type { OpenAiAgentsCallDetails, OpenAiAgentsOutput, OpenAiAgentsSchema, OpenAiAgentsTool } from './clients/openai-agents.js'
export { toOpenAiAgentsTools } from './clients/openai-agents.js'
export type { TanStackCallContext, TanStackPart, TanStackTool } from './clients/tanstack.js'
export { toTanStackTools } from './clients/tanstack.js'
export type {
  AnthropicTool,
  GeminiTools,
  ManifestSource,
  McpTool,
  ObjectSchema,
  OpenAiChatTool,
  OpenAiFunction,
  OpenAiOptions,
  OpenAiResponsesTool,
  Tools,
} from './convert-tools.js'
export { toAnthropicTools, toGeminiTools, toMcpTools, toOpenAiChatTools, toOpenAiResponsesTools } from './convert-tools.js'
export type { AiSdkSandboxOptions } from './drop-ins/ai-sdk/sandbox.js'
export { aiSdkSandbox } from './drop-ins/ai-sdk/sandbox.js'
export type {
  AiSdkDirectoryEntry,
  AiSdkFileStat,
  AiSdkPathOptions,
  AiSdkProcess,
  AiSdkReadTextOptions,
  AiSdkRunOptions,
  AiSdkRunResult,
  AiSdkSandbox,
  AiSdkSpawnOptions,
  AiSdkWritableProcess,
  AiSdkWriteOptions,
  AiSdkWriteTextOptions,
} from './drop-ins/ai-sdk/types.js'
export type {
  AnthropicMemory,
  AnthropicMemoryBlock,
  AnthropicMemoryCommands,
  AnthropicMemoryOptions,
} from './drop-ins/anthropic-memory.js'
export { anthropicMemory } from './drop-ins/anthropic-memory.js'
export type { BashToolSandbox, BashToolSandboxOptions } from './drop-ins/bash-tool.js'
export { bashToolSandbox } from './drop-ins/bash-tool.js'
export type { DeepAgentsBackendOptions } from './drop-ins/deepagents/backend.js'
export { deepAgentsBackend } from './drop-ins/deepagents/backend.js'
export type {
  DeepAgentsBackend,
  DeepAgentsChange,
  DeepAgentsExecuted,
  DeepAgentsFileError,
  DeepAgentsFileInfo,
  DeepAgentsFiles,
  DeepAgentsGrepMatch,
  DeepAgentsMatches,
  DeepAgentsRaw,
  DeepAgentsRead,
} from './drop-ins/deepagents/types.js'
export type { MastraFilesystemOptions } from './drop-ins/mastra/filesystem.js'
export { mastraFilesystem } from './drop-ins/mastra/filesystem.js'
export { mastraSandbox } from './drop-ins/mastra/sandbox.js'
export type {
  MastraCommandOptions,
  MastraCommandResult,
  MastraErrors,
  MastraFileEntry,
  MastraFileStat,
  MastraFilesystem,
  MastraSandbox,
} from './drop-ins/mastra/types.js'
export type { OpenAiEditorOptions } from './drop-ins/openai/editor.js'
export { openAiEditor } from './drop-ins/openai/editor.js'
export type { OpenAiSandboxSessionOptions } from './drop-ins/openai/session.js'
export { openAiSandboxSession } from './drop-ins/openai/session.js'
export type { OpenAiShellOptions } from './drop-ins/openai/shell.js'
export { openAiShell } from './drop-ins/openai/shell.js'
export type {
  OpenAiCreateFile,
  OpenAiDeleteFile,
  OpenAiEditor,
  OpenAiEditResult,
  OpenAiExecArgs,
  OpenAiExecResult,
  OpenAiSandboxSession,
  OpenAiShell,
  OpenAiShellAction,
  OpenAiShellOutput,
  OpenAiShellResult,
  OpenAiUpdateFile,
} from './drop-ins/openai/types.js'
export type {
  AnthropicImageType,
  AnthropicResultMessage,
  AnthropicResultPart,
  GeminiResultContent,
  GeminiResultPart,
  MessagesOf,
  OpenAiImageMessage,
  OpenAiOutput,
  OpenAiOutputItem,
  OpenAiShellOutputChunk,
  OpenAiToolMessage,
} from './messages.js'
export type { StrictSchema } from './openai-strict.js'
export { toStrict } from './openai-strict.js'
export type { OwnTool, OwnToolContext, RunToolCallsOptions } from './run-tool-calls.js'
export { runToolCalls } from './run-tool-calls.js'
