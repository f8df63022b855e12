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
import { isRecord } from '../../ops/is-record.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { CallContext } from '../../types/runtime.js'
import type { AnyTool, ContentPart, JsonSchema, JsonValue, ManifestEntry, ToolResult } from '../../types/tool.js'
import { type Asked, type Calls, notify } from './calls.js'
import { cursorAfter, readCursor } from './cursor.js'

const LIST = 'tools/list'

/** Lists and calls the tools of the runtime. */
export function serveTools(server: Server, runtime: ToolRuntime, calls: Calls, pageSize: number): void {
  const declares = declarations(runtime)
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    await loadSchemas(runtime)
    return listTools(runtime, pageSize, params?.cursor)
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, asked) => {
    const entry = runtime.registry.find(params.name)
    const context = { signal: asked.signal, ...progressTo(asked) }
    const result = await calls.run(asked, (id) => runtime.execute({ id, name: params.name, input: params.arguments ?? {} }, context))
    if (!entry) throw new McpError(ErrorCode.InvalidParams, toModelText(result).replace(/^Error: /, ''))
    return toCallResult(result, result.ok && (await declares(entry.tool)))
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

/** Output schemas that load on demand are in the manifest then. One that does not load is left out: the tool works without. */
async function loadSchemas(runtime: ToolRuntime): Promise<void> {
  await runtime.registry.loadOutputSchemas().catch(() => {})
}

/**
 * Whether a tool says in lists what its output looks like: clients want the structure then. Asked of the manifest and not of what this server
 * has listed: another one may have listed it, where every request has its own.
 */
function declarations(runtime: ToolRuntime): (tool: AnyTool) => boolean | Promise<boolean> {
  const known = new WeakMap<AnyTool, boolean>()
  const ask = async (tool: AnyTool): Promise<boolean> => {
    await loadSchemas(runtime)
    const entry = runtime.getModelManifest().find(({ name }) => runtime.registry.get(name) === tool)
    const declared = entry?.outputSchema?.type === 'object'
    known.set(tool, declared)
    return declared
  }
  return (tool) => (tool.outputSchema === undefined ? false : (known.get(tool) ?? ask(tool)))
}

function toCallResult(result: ToolResult, structured: boolean): CallToolResult {
  if (!result.ok) return { content: [{ type: 'text', text: toModelText(result) }], isError: true }
  const content = result.content?.map(toContent) ?? [{ type: 'text' as const, text: toModelText(result) }]
  if (!structured) return { content }
  if (isRecord(result.output)) return { content, structuredContent: result.output }
  const text = 'Error: the tool has returned no object, which is what its output schema promises'
  return { content: [{ type: 'text', text }, ...content], isError: true }
}

function toContent(part: ContentPart): CallToolResult['content'][number] {
  return part.type === 'text' ? { type: 'text', text: part.text } : { type: 'image', mimeType: part.mediaType, data: part.data }
}

/** Where the client asked for it. */
function progressTo({ _meta, sendNotification }: Asked): Pick<CallContext, 'onProgress'> {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return {}
  let progress = 0
  const onProgress = (update: JsonValue): void => {
    const params = { progressToken, progress: ++progress, message: progressText(update) }
    notify(sendNotification({ method: 'notifications/progress', params }))
  }
  return { onProgress }
}

function progressText(update: JsonValue): string {
  if (typeof update === 'string') return update
  return isRecord(update) && typeof update.text === 'string' ? update.text : JSON.stringify(update)
}
