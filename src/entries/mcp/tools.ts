import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  type ListToolsResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import { toModelText } from '../../core/result.js'
import { isRecord } from '../../ops/is-record.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { CallContext } from '../../types/runtime.js'
import type { AnyTool, ContentPart, JsonSchema, JsonValue, ManifestEntry, ToolResult } from '../../types/tool.js'
import { type Asked, type Calls, notify } from './calls.js'
import { cursorAfter, readCursor } from './cursor.js'
import { canElicit } from './modern-protocol.js'
import { RequestError } from './request-error.js'
import { RetriedApproval } from './retried-approval.js'
import { compact, isWanted } from './tool-list.js'

const LIST = 'tools/list'
/** Keeps the answers with which clients of the protocol version 2026-07-28 repeat a call. */
const CALL = CallToolRequestSchema.extend({ params: CallToolRequestSchema.shape.params.loose() })

export interface ToolOptions {
  readonly pageSize: number
  /** Whether to list output schemas and return structured content. */
  readonly structured: boolean
  readonly compact: boolean
  /** Names and groups of the tools to offer. Undefined: all tools. */
  readonly wanted: readonly string[] | undefined
}

/** Lists and calls the tools of the runtime. */
export function serveTools(server: Server, runtime: ToolRuntime, calls: Calls, options: ToolOptions): void {
  const { structured } = options
  const declares = structured ? declarations(runtime) : () => false
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    if (structured) await loadSchemas(runtime)
    return listTools(runtime, options, params?.cursor)
  })
  server.setRequestHandler(CALL, async ({ params }, asked) => {
    const entry = runtime.registry.find(params.name)
    if (entry && !isWanted(entry.tool, options.wanted)) {
      throw new RequestError(
        ErrorCode.InvalidParams,
        `Cannot call "${params.name}": this server does not offer it. Call a tool of its list.`,
      )
    }
    const context = { signal: asked.signal, ...progressTo(asked) }
    const canAsk = canElicit(asked._meta)
    const retried = entry && canAsk !== undefined ? new RetriedApproval(entry.tool, canAsk, params) : undefined
    const call = { name: params.name, input: params.arguments ?? {} }
    const result = await calls.run(asked, (id) => runtime.execute({ id, ...call }, context), retried)
    const question = retried?.questionOf(result)
    if (question) return question
    if (!entry) throw new RequestError(ErrorCode.InvalidParams, toModelText(result).replace(/^Error: /, ''))
    return toCallResult(result, result.ok && (await declares(entry.tool)))
  })
}

function listTools(runtime: ToolRuntime, options: ToolOptions, cursor: string | undefined): ListToolsResult {
  const { pageSize, structured, wanted } = options
  const after = cursor === undefined ? undefined : readCursor(LIST, cursor)
  const toolOf = ({ name }: ManifestEntry): AnyTool => runtime.registry.get(name) as AnyTool
  const offered = runtime.getModelManifest().filter((entry) => isWanted(toolOf(entry), wanted))
  const rest = offered.filter(({ name }) => after === undefined || name > after)
  const page = rest.slice(0, pageSize)
  const last = page.at(-1)
  const tools = page.map((entry) => toTool(options.compact ? compact(entry) : entry, toolOf(entry), structured))
  return { tools, ...(last && rest.length > page.length && { nextCursor: cursorAfter(LIST, last.name) }) }
}

function toTool(entry: ManifestEntry, tool: AnyTool, structured: boolean): Tool {
  const { alias, description, inputSchema, outputSchema, annotations } = entry
  return {
    name: alias,
    ...(annotations?.title !== undefined && { title: annotations.title }),
    description,
    inputSchema: objectSchema({ ...dialectOf(tool.inputSchema), ...inputSchema }),
    ...(structured &&
      outputSchema?.type === 'object' && { outputSchema: objectSchema({ ...dialectOf(tool.outputSchema), ...outputSchema }) }),
    ...(annotations && { annotations }),
  }
}

/** Returns the JSON Schema dialect that the author declared. Manifests omit the dialect, because model APIs reject it. */
function dialectOf(schema: AnyTool['outputSchema']): { readonly $schema?: string } {
  const named = typeof schema === 'object' && '$schema' in schema ? schema.$schema : undefined
  return typeof named === 'string' ? { $schema: named } : {}
}

/** Adapts a schema to the protocol, which requires `type: "object"` and no boolean schemas for properties. */
function objectSchema(schema: JsonSchema): Tool['inputSchema'] {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return { ...schema, type: 'object' } as Tool['inputSchema']
  const spelledOut = Object.entries(properties).map(([name, property]) => [name, property === true ? {} : property || { not: {} }])
  return { ...schema, type: 'object', properties: Object.fromEntries(spelledOut) }
}

/** Loads lazy output schemas into the manifest. A schema that fails to load is omitted; the tool works without it. */
async function loadSchemas(runtime: ToolRuntime): Promise<void> {
  await runtime.registry.loadOutputSchemas().catch(() => {})
}

/**
 * Returns a function that says whether a tool declares an output schema. For such a tool, clients expect structured content. Reads the
 * manifest instead of this server's list, because without sessions another server may have listed the tool.
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

/** Returns a callback that sends progress to the client, if the client requested progress. */
function progressTo({ _meta, sendNotification }: Asked): Pick<CallContext, 'onProgress'> {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return {}
  // Start below 0, because amounts must grow and the first one may be 0.
  let progress = -1
  const onProgress = (update: JsonValue): void => {
    const amount = amountOf(update)
    // The protocol requires growing progress. `total` is only sent with amounts that the tool counts.
    const counted = amount !== undefined && amount.progress > progress
    progress = counted ? amount.progress : Math.max(progress, 0) + 1
    const params = { progressToken, progress, ...(counted && { total: amount.total }), message: progressText(update) }
    notify(sendNotification({ method: 'notifications/progress', params }))
  }
  return { onProgress }
}

/** Returns the amounts in an update, if the tool reports `done` and `total`. */
function amountOf(update: JsonValue): { readonly progress: number; readonly total: number } | undefined {
  if (!isRecord(update)) return undefined
  const { done, total } = update
  return typeof done === 'number' && typeof total === 'number' && done <= total ? { progress: done, total } : undefined
}

function progressText(update: JsonValue): string {
  if (typeof update === 'string') return update
  return isRecord(update) && typeof update.text === 'string' ? update.text : JSON.stringify(update)
}
