import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type LoggingLevel,
  LoggingLevelSchema,
  type LoggingMessageNotification,
  ResultSchema,
  RootsListChangedNotificationSchema,
  type ServerCapabilities,
  SetLevelRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { required } from '../../errors/required.js'
import { isRecord } from '../../ops/is-record.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { RuntimeEvent } from '../../types/runtime.js'
import type { Session, Sessions } from '../../types/session.js'
import type { AnyTool } from '../../types/tool.js'
import { Calls, notify } from './calls.js'
import { checkCount } from './check-count.js'
import { logLevelOf } from './modern-protocol.js'
import { ModernTransport } from './modern-transport.js'
import { RequestGate } from './request-gate.js'
import { serveResources } from './resources.js'
import { POLL_MS, Subscriptions } from './subscriptions.js'
import { checkWanted, type McpToolGroup } from './tool-list.js'
import { serveTools } from './tools.js'

/** A directory that the client works in. */
export interface McpRoot {
  /** `file:///home/user/project` */
  readonly uri: string
  readonly name?: string | undefined
}

/** Options of `createMcpServer`. */
export interface McpServerOptions {
  /** The name that the server reports to clients; default `toolport`. */
  readonly name?: string
  /** The version that the server reports to clients; default `0`. */
  readonly version?: string
  /** Text for the client, which may pass it to the model; default one sentence about the workspace. */
  readonly instructions?: string
  /** Tools or files per page of a list, at least 1; default 100. */
  readonly pageSize?: number
  /** Whether to offer the files of the workspace as resources; default true. */
  readonly resources?: boolean
  /**
   * Names or groups (`files`, `checkpoints`, `shell`, `js`, `web`, `memory`) of the tools to offer. Default: all. A short list saves
   * tokens, because a model reads the whole list with every request.
   */
  readonly tools?: readonly (McpToolGroup | (string & {}))[]
  /**
   * Whether to list only the first sentence of each tool's description, its required parameters and two optional ones; default false. Calls
   * may still use all parameters.
   */
  readonly compact?: boolean
  /**
   * Whether to send results also as `structuredContent`, and to list output schemas, for programs that read them. Default false: many
   * clients would show the model both the structure and the equivalent text.
   */
  readonly structuredContent?: boolean
  /** Maximum bytes of one resource; default 4 MiB. The server rejects larger files, which tools can read in parts. */
  readonly maxResourceBytes?: number
  /** Milliseconds between checks of subscribed files; default 3,000. A check compares versions only. */
  readonly pollMs?: number
  /** Minimum level of log messages, until the client sets another level; default `info`. */
  readonly logLevel?: LoggingLevel
  /**
   * Called with the client's roots after the client connects, and after each change. Never called for clients without roots. Roots change
   * nothing in the workspace. `mcp` is the client's server.
   */
  readonly onRoots?: (roots: readonly McpRoot[], mcp: McpServer) => void
}

/** The MCP server of one client. */
export interface McpServer {
  /** The SDK's own server, for features beyond this interface. Toolport uses its `oninitialized` and `onclose`. */
  readonly server: Server
  /** Starts serving over a transport. A server uses one transport at a time. */
  connect(transport: Transport): Promise<void>
  /**
   * Notifies the client if the tools have changed since the last notification. The server also does this after every call of the runtime,
   * so you need this method only after a change of the registry outside a call.
   */
  toolsChanged(): void
  /**
   * Asks the client for its roots, and calls `onRoots` with them. Returns an empty list if the client does not support roots. Rejects if
   * the client does not answer.
   */
  roots(): Promise<readonly McpRoot[]>
  /** Closes the connection, aborts its calls and waits until they have ended. Does not dispose the runtime. */
  close(): Promise<void>
}

const PAGE_SIZE = 100
const MAX_RESOURCE_BYTES = 4 * 1024 * 1024

/**
 * Creates an MCP server with the tools of a runtime and the files of its workspace, for one client over any transport. Servers may share a
 * runtime. Their clients then form one trust domain: all of them see its files, its shell and its background sessions. Clients that must be
 * isolated need separate runtimes.
 *
 * Tools are listed by their aliases; calls may also use their own names. A failed call is a result with `isError`. Unknown tools and
 * invalid requests are protocol errors.
 *
 * @throws {RangeError} for a page size or resource size that is not a positive integer, and for an unknown name in `tools`
 */
export function createMcpServer(runtime: ToolRuntime, options: McpServerOptions = {}): McpServer {
  required('createMcpServer', 'a ToolRuntime', runtime, 'getModelManifest')
  checkServerOptions(options)
  checkWanted(options.tools, runtime.registry.list())
  const { name = 'toolport', version = '0', pageSize = PAGE_SIZE, maxResourceBytes = MAX_RESOURCE_BYTES } = options
  const { workspace } = runtime
  const withFiles = options.resources ?? true
  const capabilities = capabilitiesOf(options)
  const instructions = options.instructions ?? instructionsFor(workspace.root, withFiles)
  const identity = { info: { name, version }, capabilities, instructions }
  const server = new Server({ name, version }, { capabilities, instructions })
  const calls = new Calls(() => server.getClientCapabilities()?.elicitation !== undefined)
  const subscriptions = new Subscriptions(workspace, (uri) => notify(server.sendResourceUpdated({ uri })), options.pollMs)
  const log = serveLogging(server, calls, options.logLevel ?? 'info')
  serveTools(server, runtime, calls, {
    pageSize,
    structured: options.structuredContent ?? false,
    compact: options.compact ?? false,
    wanted: options.tools,
  })
  if (withFiles) serveResources(server, workspace, subscriptions, { pageSize, maxBytes: maxResourceBytes })

  let told: readonly AnyTool[] = []
  const toolsChanged = (): void => {
    const now = runtime.registry.list()
    if (now.length === told.length && now.every((tool, at) => tool === told[at])) return
    told = now
    if (server.transport) notify(server.sendToolListChanged())
  }
  const roots = async (): Promise<readonly McpRoot[]> => {
    if (!server.getClientCapabilities()?.roots) return []
    const roots = await listRoots(server)
    options.onRoots?.(roots, mcp)
    return roots
  }
  const tellRoots = (): void => {
    // Ignore a client that does not answer.
    if (options.onRoots) void roots().catch(() => {})
  }
  const onEvent = (event: RuntimeEvent): void => {
    calls.follow(event)
    log(event)
    if (event.type !== 'call_end') return
    calls.end(event.callId)
    toolsChanged()
    void subscriptions.check()
  }

  const follow = (): (() => void) => {
    const stops = [runtime.on(onEvent), followSessions(runtime.sessions, () => void subscriptions.checkSoon())]
    return () => {
      for (const stop of stops) stop()
    }
  }

  let stopListening = (): void => {}
  server.setNotificationHandler(RootsListChangedNotificationSchema, tellRoots)
  server.oninitialized = () => {
    // In a session the stream for server messages is not open yet, so the handler asks for roots later.
    if (server.transport?.sessionId === undefined) tellRoots()
  }
  server.onclose = () => {
    stopListening()
    subscriptions.clear()
  }

  const mcp: McpServer = {
    server,
    async connect(transport) {
      told = runtime.registry.list()
      stopListening()
      stopListening = follow()
      try {
        const gate = transport instanceof RequestGate ? transport : new RequestGate(transport)
        await server.connect(new ModernTransport(gate, identity))
      } catch (error) {
        stopListening()
        throw error
      }
    },
    toolsChanged,
    roots,
    async close() {
      await server.close()
      await calls.idle()
    },
  }
  return mcp
}

/** Asks a client for its roots and omits invalid roots. The SDK's function would reject all roots if one of them is not a file URL. */
export async function listRoots(server: Server): Promise<readonly McpRoot[]> {
  const { roots } = await server.request({ method: 'roots/list' }, ResultSchema)
  return Array.isArray(roots) ? roots.filter((root) => isRecord(root) && typeof root.uri === 'string') : []
}

/** @throws {RangeError} */
export function checkServerOptions({
  pageSize = PAGE_SIZE,
  maxResourceBytes = MAX_RESOURCE_BYTES,
  pollMs = POLL_MS,
}: McpServerOptions): void {
  checkCount('pageSize', pageSize)
  checkCount('maxResourceBytes', maxResourceBytes)
  checkCount('pollMs', pollMs)
}

export function capabilitiesOf({ resources = true }: McpServerOptions): ServerCapabilities {
  return { tools: { listChanged: true }, logging: {}, ...(resources && { resources: { subscribe: true }, completions: {} }) }
}

function instructionsFor(root: string, withFiles: boolean): string {
  const files = withFiles ? ' Its files are resources: workspace:///path, percent-encoded.' : ''
  return `The tools work on the files below ${root}; paths are absolute or relative to it.${files}`
}

/** Calls `tell` when a background session starts, prints or ends. */
function followSessions(sessions: Sessions, tell: () => void): () => void {
  const stops = new Map<Session, () => void>()
  const follow = (): void => {
    const running = sessions.list().filter(({ info }) => info.state === 'running')
    for (const session of running) if (!stops.has(session)) stops.set(session, session.onOutput(tell))
    for (const [session, stop] of stops) {
      if (running.includes(session)) continue
      stop()
      stops.delete(session)
    }
  }
  const stopFollowing = sessions.onChange(() => {
    follow()
    tell()
  })
  follow()
  return () => {
    stopFollowing()
    for (const stop of stops.values()) stop()
    stops.clear()
  }
}

type LogMessage = LoggingMessageNotification['params']

/** The log levels in ascending order, from `debug` to `emergency`. */
const LEVELS: readonly LoggingLevel[] = LoggingLevelSchema.options

/** Logs a client's calls to the client, at or above a level that the client can change. Log messages never contain inputs or outputs. */
function serveLogging(server: Server, calls: Calls, level: LoggingLevel): (event: RuntimeEvent) => void {
  let least = LEVELS.indexOf(level)
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    least = LEVELS.indexOf(params.level)
    return {}
  })
  return (event) => {
    const params = messageOf(event)
    const asked = params && calls.of(event.callId)
    if (!asked) return
    const own = logLevelOf(asked._meta)
    const lowest = own ? (own.level === undefined ? Infinity : LEVELS.indexOf(own.level as LoggingLevel)) : least
    if (LEVELS.indexOf(params.level) >= lowest) notify(asked.sendNotification({ method: 'notifications/message', params }))
  }
}

/** Converts an event to a log message; undefined for progress, which has its own notification. */
function messageOf(event: RuntimeEvent): LogMessage | undefined {
  const { callId } = event
  switch (event.type) {
    case 'progress':
      return undefined
    case 'call_start':
      return { level: 'debug', logger: event.call.name, data: { callId, message: 'The call begins' } }
    case 'log':
      return {
        level: 'info',
        logger: event.tool,
        data: { callId, message: event.message, ...(event.data !== undefined && { data: event.data }) },
      }
    case 'approval':
      return { level: 'notice', logger: event.tool, data: { callId, message: event.approved ? 'Approved' : 'Not approved' } }
    case 'truncated':
      return { level: 'notice', logger: event.tool, data: { callId, message: `${event.bytes} bytes of the output were left out` } }
    case 'call_end': {
      const { call, result, durationMs } = event
      if (result.ok) return { level: 'debug', logger: call.name, data: { callId, message: 'The call has ended', durationMs } }
      // The error message is omitted because it may quote the input.
      return { level: 'warning', logger: call.name, data: { callId, message: 'The call has failed', code: result.output.code, durationMs } }
    }
  }
}
