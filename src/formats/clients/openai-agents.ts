import { failure } from '../../core/result.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ManifestEntry, ToolResult } from '../../types/tool.js'
import { imagesOf, parseArguments, toModelText, urlOf } from '../call-requests.js'
import { type OpenAiOptions, openAiFunction } from '../convert-tools.js'
import { toStrict } from '../openai-strict.js'
import { entriesOf, run } from './run.js'

/** The text of a result, or its text and images. `image` is a data URL. */
export type OpenAiAgentsOutput = string | ({ type: 'text'; text: string } | { type: 'image'; image: string })[]

/** The schema of a function tool, in the form that the types of `@openai/agents` accept. */
export type OpenAiAgentsSchema = {
  type: 'object'
  properties: Record<string, Record<string, unknown>>
  required: string[]
  additionalProperties: false
}

/** The part of the SDK's call details that the tools use. `callId` becomes the id of the call in the runtime's events. */
export interface OpenAiAgentsCallDetails {
  readonly toolCall?: { readonly callId: string }
  readonly signal?: AbortSignal
}

/** One function tool for `tools` of an `Agent` of `@openai/agents`. */
export interface OpenAiAgentsTool {
  type: 'function'
  name: string
  description: string
  parameters: OpenAiAgentsSchema
  strict: boolean
  /** Runs a call with the arguments as JSON text. Never rejects: the model reads a failure as the output. */
  invoke: (runContext: unknown, input: string, details?: OpenAiAgentsCallDetails) => Promise<OpenAiAgentsOutput>
  /** Always false: the runtime's policy asks during the call. */
  needsApproval: () => Promise<boolean>
  /** Always true. */
  isEnabled: () => Promise<boolean>
}

/**
 * Converts the tools of a runtime to function tools of `@openai/agents`. The result contains the current manifest: call again after you add
 * or remove tools.
 *
 * @throws TypeError without a runtime
 */
export function toOpenAiAgentsTools(runtime: ToolRuntime, options: OpenAiOptions = {}): OpenAiAgentsTool[] {
  return entriesOf('toOpenAiAgentsTools', runtime).map((entry) => {
    const { parameters, ...described } = openAiFunction(entry, options)
    const restore = described.strict ? toStrict(entry.inputSchema)?.restore : undefined
    return {
      type: 'function',
      ...described,
      parameters: { required: [], ...parameters } as unknown as OpenAiAgentsSchema,
      invoke: async (_, input, { toolCall, signal } = {}) => {
        return outputOf(await runJson(runtime, entry, input, restore, { id: toolCall?.callId, signal }))
      },
      needsApproval: async () => false,
      isEnabled: async () => true,
    }
  })
}

async function runJson(
  runtime: ToolRuntime,
  { name }: ManifestEntry,
  json: string,
  restore: ((input: unknown) => unknown) | undefined,
  call: Parameters<typeof run>[3],
): Promise<ToolResult> {
  const { input, problem } = parseArguments(json)
  if (problem !== undefined) return failure('invalid_input', problem, { callId: call.id ?? null, tool: name })
  return run(runtime, name, restore ? restore(input) : input, call)
}

function outputOf(result: ToolResult): OpenAiAgentsOutput {
  const images = imagesOf(result).map((image) => ({ type: 'image' as const, image: urlOf(image) }))
  const text = toModelText(result)
  return images.length === 0 ? text : [{ type: 'text', text }, ...images]
}
