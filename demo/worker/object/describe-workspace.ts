import type { Settings } from '../settings.js'
import type { OpenWorkspace } from './open-workspace.js'
import type { RecordStore } from './record.js'
import type { RunningCalls } from './running-calls.js'

interface Described {
  readonly open: OpenWorkspace
  readonly calls: RunningCalls
  readonly ctx: DurableObjectState
  readonly records: RecordStore
  readonly settings: Settings
}

/** The status of a workspace for its owner: expiry, usage and quotas. */
export async function describeWorkspace({ open, calls, ctx, records, settings }: Described): Promise<object> {
  const { runtime, ownTools } = open
  const { MAX_BYTES, MAX_FILES, MAX_CALLS, MAX_SESSIONS, MAX_SOCKETS } = settings
  const record = records.current
  const { bytes, files } = (await runtime.workspace.fs.usage?.()) ?? {}
  return {
    id: ctx.id.toString(),
    ...(record && {
      createdAt: new Date(record.createdMs).toISOString(),
      expiresAt: new Date(records.expiresMs(record)).toISOString(),
      ttlMs: record.ttlMs,
    }),
    usage: {
      bytes,
      files,
      calls: calls.running,
      sessions: runtime.sessions.list().filter(({ info }) => info.state === 'running').length,
      sockets: ctx.getWebSockets().length,
    },
    quota: { bytes: MAX_BYTES, files: MAX_FILES, calls: MAX_CALLS, sessions: MAX_SESSIONS, sockets: MAX_SOCKETS },
    ownTools,
  }
}
