import { required } from '../errors/required.js'
import type { JsonSchema, ManifestEntry, ToolAnnotations } from '../types/tool.js'
import { geminiName } from './gemini-names.js'
import { toGeminiSchema } from './gemini-schema.js'
import { toStrict } from './openai-strict.js'

/** A source of manifest entries: a runtime or a registry. */
export interface ManifestSource {
  getModelManifest(): readonly ManifestEntry[]
}

/** The tools to convert: a runtime, a registry, or the manifest entries of `getModelManifest()`. */
export type Tools = ManifestSource | readonly ManifestEntry[]

/** Options of the conversions for OpenAI. */
export interface OpenAiOptions {
  /**
   * Whether to use strict mode, in which the model can only produce input that fits the schema (`toStrict`). A tool whose schema strict
   * mode cannot express is converted without strict mode. Default true.
   */
  readonly strict?: boolean
}

/** A function definition for OpenAI's APIs. */
export interface OpenAiFunction {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly strict: boolean
}

/** One entry of `tools` in Chat Completions. */
export interface OpenAiChatTool {
  readonly type: 'function'
  readonly function: OpenAiFunction
}

/** One entry of `tools` in the Responses API. */
export interface OpenAiResponsesTool extends OpenAiFunction {
  readonly type: 'function'
}

/** A JSON Schema whose root is an object, in the form that the types of the SDKs accept. */
export type ObjectSchema = { type: 'object'; properties?: Record<string, unknown>; required?: string[]; [keyword: string]: unknown }

/** One entry of `tools` in the Messages API. */
export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: ObjectSchema
}

/** One entry of `config.tools` in the Gemini API, with all functions. */
export interface GeminiTools {
  readonly functionDeclarations: {
    readonly name: string
    readonly description: string
    readonly parametersJsonSchema: JsonSchema
  }[]
}

/** One tool of an MCP `tools/list` result. */
export interface McpTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
}

function manifestOf(tools: Tools): readonly ManifestEntry[] {
  if (tools instanceof Object && 'getModelManifest' in tools) return tools.getModelManifest()
  return required('A list of tools', 'a ToolRuntime, or what its getModelManifest() gives', tools, 'map')
}

/** Converts tools for Chat Completions. Names are the manifest's aliases; `runToolCalls` accepts them. */
export function toOpenAiChatTools(tools: Tools, options: OpenAiOptions = {}): OpenAiChatTool[] {
  return manifestOf(tools).map((entry) => ({ type: 'function', function: openAiFunction(entry, options) }))
}

/** Converts tools for the Responses API. Names are the manifest's aliases; `runToolCalls` accepts them. */
export function toOpenAiResponsesTools(tools: Tools, options: OpenAiOptions = {}): OpenAiResponsesTool[] {
  return manifestOf(tools).map((entry) => ({ type: 'function', ...openAiFunction(entry, options) }))
}

export function openAiFunction({ alias, description, inputSchema }: ManifestEntry, { strict = true }: OpenAiOptions): OpenAiFunction {
  const said = strict ? toStrict(inputSchema) : undefined
  return { name: alias, description, parameters: said?.schema ?? withoutUnion(inputSchema), strict: said !== undefined }
}

/** Removes unions at the top of a schema, because providers reject them. The runtime still validates input by these unions. */
function withoutUnion(schema: JsonSchema): ObjectSchema {
  const { anyOf: _, oneOf: __, allOf: ___, not: ____, ...rest } = schema
  return (rest.properties === undefined ? { ...rest, properties: {} } : rest) as ObjectSchema
}

/** Converts tools for `tools` of Anthropic's Messages API. Names are the manifest's aliases; `runToolCalls` accepts them. */
export function toAnthropicTools(tools: Tools): AnthropicTool[] {
  return manifestOf(tools).map(toAnthropicTool)
}

export function toAnthropicTool({ alias, description, inputSchema }: ManifestEntry): AnthropicTool {
  return { name: alias, description, input_schema: withoutUnion(inputSchema) }
}

/**
 * Converts tools for the Gemini API. Changes names that do not begin with a letter or an underscore; `runToolCalls` accepts the changed
 * names.
 */
export function toGeminiTools(tools: Tools): GeminiTools {
  const functionDeclarations = manifestOf(tools).map(({ alias, description, inputSchema }) => ({
    name: geminiName(alias),
    description,
    parametersJsonSchema: toGeminiSchema(inputSchema),
  }))
  return { functionDeclarations }
}

/** Converts tools for MCP. Includes output schemas if the manifest has them: call `await runtime.registry.loadOutputSchemas()` first. */
export function toMcpTools(tools: Tools): McpTool[] {
  return manifestOf(tools).map(({ alias, description, inputSchema, outputSchema, annotations }) => ({
    name: alias,
    ...(annotations?.title !== undefined && { title: annotations.title }),
    description,
    inputSchema: inputSchema,
    ...(outputSchema?.type === 'object' && { outputSchema }),
    ...(annotations && { annotations }),
  }))
}
