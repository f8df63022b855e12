import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import { toModelText } from '../../core/result.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { AnyTool, ContentPart, JsonSchema, JsonValue, ManifestEntry, ToolResult } from '../../types/tool.js'
import { type Asked, type Calls, notify } from './calls.js'
import { cursorAfter, readCursor } from './cursor.js'

const LIST = 'tools/list'

/** Lists and calls the tools of the runtime. */
export function serveTools(server: Server, runtime: ToolRuntime, calls: Calls, pageSize: number): void {
  const declares = declarations(runtime)
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => listTools(runtime, pageSize, params?.cursor))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, asked) => {
    const entry = runtime.registry.find(params.name)
    const id = calls.begin(asked)
    const result = await runtime.execute(
      { id, name: params.name, input: params.arguments ?? {} },
      { signal: asked.signal, onProgress: progressTo(asked) },
    )
    if (!entry) throw new McpError(ErrorCode.InvalidParams, toModelText(result).replace(/^Error: /, ''))
    return toCallResult(result, declares(entry.tool))
  })
}

function listTools(runtime: ToolRuntime, pageSize: number, cursor: string | undefined): ListToolsResult {
  const after = cursor === undefined ? undefined : readCursor(LIST, cursor)
  const rest = runtime.getModelManifest().filter(({ name }) => after === undefined || name > after)
  const page = rest.slice(0, pageSize)
  const last = page.at(-1)
  return { tools: page.map(toTool), ...(last && rest.length > page.length && { nextCursor: cursorAfter(LIST, last.name) }) }
}

function toTool({ alias, description, inputSchema, outputSchema, annotations }: ManifestEntry): Tool {
  return {
    name: alias,
    ...(annotations?.title !== undefined && { title: annotations.title }),
    description,
    inputSchema: objectSchema(inputSchema),
    ...(outputSchema?.type === 'object' && { outputSchema: objectSchema(outputSchema) }),
    ...(annotations && { annotations }),
  }
}

/** The protocol wants `type: "object"`, which is true of every input here, and no booleans for the schemas of properties. */
function objectSchema(schema: JsonSchema): Tool['inputSchema'] {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return { ...schema, type: 'object' } as Tool['inputSchema']
  const spelledOut = Object.entries(properties).map(([name, property]) => [name, property === true ? {} : property || { not: {} }])
  return { ...schema, type: 'object', properties: Object.fromEntries(spelledOut) }
}

/** Whether a tool has told the client what its output looks like. */
function declarations(runtime: ToolRuntime): (tool: AnyTool) => boolean {
  const known = new WeakMap<AnyTool, boolean>()
  return (tool) => {
    if (tool.outputSchema === undefined) return false
    const before = known.get(tool)
    if (before !== undefined) return before
    const entry = runtime.getModelManifest().find(({ name }) => runtime.registry.get(name) === tool)
    const declared = entry?.outputSchema?.type === 'object'
    known.set(tool, declared)
    return declared
  }
}

function toCallResult(result: ToolResult, structured: boolean): CallToolResult {
  if (!result.ok) return { content: [{ type: 'text', text: toModelText(result) }], isError: true }
  const content = result.content?.map(toContent) ?? [{ type: 'text' as const, text: toModelText(result) }]
  return structured && isRecord(result.output) ? { content, structuredContent: result.output } : { content }
}

function toContent(part: ContentPart): CallToolResult['content'][number] {
  return part.type === 'text' ? { type: 'text', text: part.text } : { type: 'image', mimeType: part.mediaType, data: part.data }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where the client asked for it. */
function progressTo({ _meta, sendNotification }: Asked): ((update: JsonValue) => void) | undefined {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return (update) => {
    const params = { progressToken, progress: ++progress, message: progressText(update) }
    notify(sendNotification({ method: 'notifications/progress', params }))
  }
}

function progressText(update: JsonValue): string {
  if (typeof update === 'string') return update
  return isRecord(update) && typeof update.text === 'string' ? update.text : JSON.stringify(update)
}
