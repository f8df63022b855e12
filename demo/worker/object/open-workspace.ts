import type { ToolRuntime } from 'toolport'
import type { Env } from '../env.js'
import type { Settings } from '../settings.js'
import { createTools, turnsOf } from './create-tools.js'
import { McpEndpoint } from './mcp.js'
import { loadOwnTools, type OwnTools } from './own-tools.js'
import type { RunningCalls } from './running-calls.js'
import { Sockets } from './sockets.js'

/** The in-memory part of a workspace: created by the first request, lost at an eviction. */
export interface OpenWorkspace {
  readonly runtime: ToolRuntime
  readonly ownTools: OwnTools
  readonly mcp: McpEndpoint
  readonly sockets: Sockets
}

export interface Opening {
  readonly ctx: DurableObjectState
  readonly env: Env
  readonly settings: Settings
  readonly calls: RunningCalls
  /** Aborted when the workspace is deleted: stops the opening. */
  readonly closing: AbortSignal
}

export async function openWorkspace({ ctx, env, settings, calls, closing }: Opening): Promise<OpenWorkspace> {
  const runtime = createTools(ctx, env, settings)
  try {
    const ownTools = await loadOwnTools({ runtime, env, settings, closing, turns: turnsOf(ctx, settings, { queued: false }) })
    closing.throwIfAborted()
    calls.watch(runtime)
    return { runtime, ownTools, mcp: new McpEndpoint(runtime, calls, settings), sockets: new Sockets(ctx, runtime) }
  } catch (error) {
    await runtime.dispose()
    throw error
  }
}

export const isBusy = ({ runtime }: OpenWorkspace): boolean => runtime.sessions.list().some(({ info }) => info.state === 'running')

/** Forgets sessions that ended more than `keepMs` ago. Returns the time of the next cleanup. */
export function cleanUp({ runtime }: OpenWorkspace, keepMs: number): number {
  const now = Date.now()
  runtime.sessions.prune({ endedBefore: now - keepMs })
  const ended = runtime.sessions.list().filter(({ info }) => info.state !== 'running')
  const nextMs = Math.min(...ended.map(({ info }) => info.updatedMs + keepMs))
  // The time of a lost session counts from when the loss was detected, later than `updatedMs`, so waits at least a quarter of `keepMs`.
  return Math.max(nextMs, now + keepMs / 4)
}

/** Ends everything that runs. Afterwards nothing writes to the storage. */
export async function closeWorkspace({ runtime, mcp, sockets }: OpenWorkspace): Promise<void> {
  sockets.close()
  await Promise.allSettled([mcp.close(), runtime.dispose()])
}
