import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { type GeminiTools, toGeminiTools } from '../convert-tools.js'
import type { GeminiResultPart } from '../messages.js'
import { runToolCalls } from '../run-tool-calls.js'
import { entriesOf } from './run.js'

/** One function call of the Gemini API. */
export interface GeminiFunctionCall {
  id?: string
  name?: string
  args?: Record<string, unknown>
}

/** The `CallableTool` of `@google/genai`: all tools of the runtime as one entry of `config.tools`. */
export interface GeminiCallableTool {
  /** Returns the current manifest of the runtime. */
  tool(): Promise<GeminiTools>
  /** Runs calls. Resolves to one `functionResponse` for each call, followed by images. Never rejects: the model reads failures. */
  callTool(functionCalls: GeminiFunctionCall[]): Promise<GeminiResultPart[]>
}

/** Options of `toGeminiCallableTool`. */
export interface GeminiCallableOptions {
  /** Stops running calls. The SDK passes no signal. */
  readonly signal?: AbortSignal
}

/**
 * Adapts a runtime to the automatic function calling of `@google/genai`: `config: { tools: [toGeminiCallableTool(runtime)] }`.
 *
 * @throws TypeError without a runtime
 */
export function toGeminiCallableTool(runtime: ToolRuntime, options: GeminiCallableOptions = {}): GeminiCallableTool {
  entriesOf('toGeminiCallableTool', runtime)
  return {
    tool: async () => toGeminiTools(runtime),
    async callTool(functionCalls) {
      const parts = functionCalls.map((functionCall) => ({ functionCall }))
      const { results } = await runToolCalls(runtime, { candidates: [{ content: { parts } }] }, options)
      return results.flatMap((content) => content.parts)
    },
  }
}
