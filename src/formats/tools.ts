import { required } from '../errors/required.js'
import type { JsonSchema, ManifestEntry, ToolAnnotations } from '../types/tool.js'
import { geminiName } from './gemini-names.js'
import { toGeminiSchema } from './gemini-schema.js'
import { toStrict } from './strict.js'

/** A runtime or a registry: what has tools to offer. */
export interface ManifestSource {
  getModelManifest(): readonly ManifestEntry[]
}

export type Tools = ManifestSource | readonly ManifestEntry[]

export interface OpenAiOptions {
  /**
   * Strict mode: the model can only answer what the schema says (`toStrict`). A tool whose schema it cannot say is rendered without it.
   * Default true.
   */
  readonly strict?: boolean
}

export interface OpenAiFunction {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly strict: boolean
}

/** For `tools` of Chat Completions. */
export interface OpenAiChatTool {
  readonly type: 'function'
  readonly function: OpenAiFunction
}

/** For `tools` of the Responses API. */
export interface OpenAiResponsesTool extends OpenAiFunction {
  readonly type: 'function'
}

/** For `tools` of the Messages API. */
export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonSchema
}

/** For `config.tools` of the Gemini API: one entry with all functions. */
export interface GeminiTools {
  readonly functionDeclarations: readonly {
    readonly name: string
    readonly description: string
    readonly parametersJsonSchema: JsonSchema
  }[]
}

/** What `tools/list` of the Model Context Protocol answers with. */
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

/** Names are the manifest's aliases; `runToolCalls` knows them. */
export function toOpenAiChatTools(tools: Tools, options: OpenAiOptions = {}): OpenAiChatTool[] {
  return manifestOf(tools).map((entry) => ({ type: 'function', function: openAiFunction(entry, options) }))
}

/** As `toOpenAiChatTools`, flat. */
export function toOpenAiResponsesTools(tools: Tools, options: OpenAiOptions = {}): OpenAiResponsesTool[] {
  return manifestOf(tools).map((entry) => ({ type: 'function', ...openAiFunction(entry, options) }))
}

function openAiFunction({ alias, description, inputSchema }: ManifestEntry, { strict = true }: OpenAiOptions): OpenAiFunction {
  const said = strict ? toStrict(inputSchema) : undefined
  return { name: alias, description, parameters: said?.schema ?? withoutUnion(inputSchema), strict: said !== undefined }
}

/** Providers refuse unions at the top. The runtime still asks for them. */
function withoutUnion(schema: JsonSchema): JsonSchema {
  const { anyOf: _, oneOf: __, allOf: ___, not: ____, ...rest } = schema
  return rest.properties === undefined ? { ...rest, properties: {} } : rest
}

export function toAnthropicTools(tools: Tools): AnthropicTool[] {
  return manifestOf(tools).map(({ alias, description, inputSchema }) => ({
    name: alias,
    description,
    input_schema: withoutUnion(inputSchema),
  }))
}

/** Names that do not begin with a letter or an underscore are changed; `runToolCalls` knows them. */
export function toGeminiTools(tools: Tools): GeminiTools {
  const functionDeclarations = manifestOf(tools).map(({ alias, description, inputSchema }) => ({
    name: geminiName(alias),
    description,
    parametersJsonSchema: toGeminiSchema(inputSchema),
  }))
  return { functionDeclarations }
}

/** With output schemas where the manifest has them: `await runtime.registry.loadOutputSchemas()` before. */
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
