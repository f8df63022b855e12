import {
  type ManifestSource,
  type Tools,
  toAnthropicTools,
  toGeminiTools,
  toMcpTools,
  toOpenAiChatTools,
  toOpenAiResponsesTools,
} from '../../formats/convert-tools.js'
import type { FormatName } from './names.js'

/**
 * By format, a function that renders tools for the `tools` field of the provider's requests; for MCP, for `tools` of the response to
 * `tools/list`.
 */
const RENDER: Readonly<Record<FormatName, (tools: Exclude<Tools, ManifestSource>, strict: boolean) => unknown>> = {
  openai: (tools, strict) => toOpenAiChatTools(tools, { strict }),
  'openai-responses': (tools, strict) => toOpenAiResponsesTools(tools, { strict }),
  anthropic: toAnthropicTools,
  gemini: (tools) => [toGeminiTools(tools)],
  // Tools of AI SDK contain functions. Render only the part that JSON can express.
  'ai-sdk': (tools) => Object.fromEntries(tools.map(({ alias, description, inputSchema }) => [alias, { description, inputSchema }])),
  mcp: toMcpTools,
}

/** Renders tool definitions as JSON. */
export function rendered(tools: Exclude<Tools, ManifestSource>, format: FormatName, strict: boolean): string {
  return JSON.stringify(RENDER[format](tools, strict), null, 2)
}
