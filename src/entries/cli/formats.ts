import {
  type ManifestSource,
  type Tools,
  toAnthropicTools,
  toGeminiTools,
  toMcpTools,
  toOpenAiChatTools,
  toOpenAiResponsesTools,
} from '../../formats/tools.js'
import type { FormatName } from './names.js'

/** What each provider's request has as its `tools`; for MCP, `tools` of the answer to `tools/list`. */
const RENDER: Readonly<Record<FormatName, (tools: Exclude<Tools, ManifestSource>, strict: boolean) => unknown>> = {
  openai: (tools, strict) => toOpenAiChatTools(tools, { strict }),
  'openai-responses': (tools, strict) => toOpenAiResponsesTools(tools, { strict }),
  anthropic: toAnthropicTools,
  gemini: (tools) => [toGeminiTools(tools)],
  // Its tools are functions too: this is what JSON can say of them.
  'ai-sdk': (tools) => Object.fromEntries(tools.map(({ alias, description, inputSchema }) => [alias, { description, inputSchema }])),
  mcp: toMcpTools,
}

/** Definitions of tools, as JSON. */
export function rendered(tools: Exclude<Tools, ManifestSource>, format: FormatName, strict: boolean): string {
  return JSON.stringify(RENDER[format](tools, strict), null, 2)
}
