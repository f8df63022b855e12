// Interfaces of other packages, for what takes one of theirs. Their types are written down here: nothing of theirs is imported.
export type { AiSdkSandboxOptions } from './ai-sdk/sandbox.js'
export { aiSdkSandbox } from './ai-sdk/sandbox.js'
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
} from './ai-sdk/types.js'
export type {
  AnthropicMemory,
  AnthropicMemoryBlock,
  AnthropicMemoryCommands,
  AnthropicMemoryOptions,
} from './anthropic-memory.js'
export { anthropicMemory } from './anthropic-memory.js'
export type { OpenAiEditorOptions } from './openai/editor.js'
export { openAiEditor } from './openai/editor.js'
export type { OpenAiShellOptions } from './openai/shell.js'
export { openAiShell } from './openai/shell.js'
export type {
  OpenAiCreateFile,
  OpenAiDeleteFile,
  OpenAiEditor,
  OpenAiEditResult,
  OpenAiShell,
  OpenAiShellAction,
  OpenAiShellOutput,
  OpenAiShellResult,
  OpenAiUpdateFile,
} from './openai/types.js'
