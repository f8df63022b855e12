import type { ToolRuntime } from 'toolport'
import type { Env } from '../env.js'
import type { Settings } from '../settings.js'
import { createTools, loadOwnTools } from './create-tools.js'
import { McpEndpoint } from './mcp.js'
import { RunningCalls } from './running-calls.js'
import { Sockets } from './sockets.js'

/** What of a workspace is in memory: made with the first request, gone with an eviction. */
export interface OpenWorkspace {
  readonly runtime: ToolRuntime
  readonly calls: RunningCalls
  readonly mcp: McpEndpoint
  readonly sockets: Sockets
}

export async function openWorkspace(ctx: DurableObjectState, env: Env, settings: Settings): Promise<OpenWorkspace> {
  const runtime = createTools(ctx, env, settings)
  const calls = new RunningCalls(runtime, settings.MAX_CALLS)
  await loadOwnTools(runtime)
  return { runtime, calls, mcp: new McpEndpoint(runtime, calls, settings), sockets: new Sockets(ctx, runtime) }
}

export const isBusy = ({ runtime }: OpenWorkspace): boolean => runtime.sessions.list().some(({ info }) => info.state === 'running')

/** Forgets what ended so long ago, and says when there will be more of it. */
export function cleanUp({ runtime }: OpenWorkspace, keepMs: number): number {
  const now = Date.now()
  runtime.sessions.prune({ endedBefore: now - keepMs })
  const ended = runtime.sessions.list().filter(({ info }) => info.state !== 'running')
  const nextMs = Math.min(...ended.map(({ info }) => info.updatedMs + keepMs))
  // One that was lost counts from when that was found out, which is later.
  return Math.max(nextMs, now + keepMs / 4)
}

/** Ends what runs, `ms` at the most: what holds out is for the platform to end. True where it has ended. */
export async function closeWorkspace({ runtime, mcp }: OpenWorkspace, ms: number): Promise<boolean> {
  const closed = Promise.all([mcp.close(), runtime.dispose()]).then(
    () => true,
    () => true,
  )
  return Promise.race([closed, new Promise<false>((resolve) => setTimeout(() => resolve(false), ms))])
}
