import type { ToolRuntime } from 'toolport'
import { toAnthropicTools, toGeminiTools, toMcpTools, toOpenAiChatTools, toOpenAiResponsesTools } from 'toolport/formats'
import { HttpError } from '../http/errors.js'

const FORMATS: Readonly<Record<string, (runtime: ToolRuntime) => unknown>> = {
  manifest: (runtime) => runtime.getModelManifest(),
  openai: (runtime) => toOpenAiChatTools(runtime),
  'openai-responses': (runtime) => toOpenAiResponsesTools(runtime),
  anthropic: (runtime) => toAnthropicTools(runtime),
  gemini: (runtime) => toGeminiTools(runtime),
  mcp: (runtime) => toMcpTools(runtime),
}

/** Returns the tools in the format of `?format=`. Default: the manifest. @throws {HttpError} unknown_format */
export function answerTools(request: Request, runtime: ToolRuntime): Response {
  const format = new URL(request.url).searchParams.get('format') ?? 'manifest'
  const render = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  if (!render) {
    const hint = `Formats: ${Object.keys(FORMATS).join(', ')}`
    throw new HttpError(400, 'unknown_format', 'The tools are not rendered in this format', { hint })
  }
  return Response.json(render(runtime))
}
