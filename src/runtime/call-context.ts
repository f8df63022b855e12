import { normaliseOutput } from '../core/normalise-output.js'
import { notify } from '../ops/notify.js'
import type { Host } from '../types/host.js'
import type { CallContext, RuntimePolicy } from '../types/runtime.js'
import type { Sessions } from '../types/session.js'
import type { ShellAdapter } from '../types/shell.js'
import type { JsonValue, Limits, Ports, ToolContext, ToolResult, ToolTable } from '../types/tool.js'
import type { Workspace } from '../types/workspace.js'
import { askUntilStopped } from './ask-approval.js'
import type { CallScope } from './call-scope.js'
import { guardShell } from './command-guard.js'
import type { Events } from './events.js'

/** The parts that all calls of a runtime share. */
export interface Surroundings {
  readonly workspace: Workspace
  readonly ports: Ports
  readonly sessions: Sessions
  readonly host: Host
  readonly limits: Limits
  readonly versions: Map<string, string>
  readonly events: Events
  readonly approve: RuntimePolicy['approve']
  readonly commands: RuntimePolicy['commands']
  /** Whether a path rule of the workspace may ask for approval. */
  readonly pathsAsk: boolean
  /** Whether the full text of truncated outputs is saved in the workspace. */
  readonly spill: boolean
  /** Whether results are marked as data. */
  readonly markData: boolean
  readonly tools: ToolTable
  /** Runs a nested call of a tool. */
  readonly invoke: (parent: Job, name: string, input: unknown, signal: AbortSignal | undefined) => Promise<ToolResult>
}

/** A call whose tool was found. */
export interface Job {
  readonly id: string
  /** The tool's name, even if the call used an alias. */
  readonly tool: string
  readonly input: unknown
  readonly started: number
  readonly deadlineMs: number
  readonly scope: CallScope
  readonly onProgress: CallContext['onProgress']
  /** Number of enclosing calls. */
  readonly depth: number
}

const SCOPE = Symbol('scope')

/**
 * The property `signal` of a context. It is a getter, because creating a signal costs more than the rest of a call. It is an own property,
 * so that a copy of the context has it too. It is defined once, because a getter in the object literal would give each context its own
 * hidden class.
 */
const SIGNAL: PropertyDescriptor & ThisType<{ readonly [SCOPE]: CallScope }> = {
  get() {
    return this[SCOPE].signal
  },
  enumerable: true,
  configurable: true,
}

/**
 * Creates the context for one call. If a tool changes the context, other calls do not see the change. Messages after the end of the call
 * are ignored.
 */
export function createContext(around: Surroundings, job: Job): ToolContext {
  const { ports, host, limits, versions } = around
  const { scope, deadlineMs } = job
  const context: Omit<ToolContext, 'signal'> & { readonly [SCOPE]: CallScope } = {
    [SCOPE]: scope,
    workspace: around.approve && around.pathsAsk ? scopedWorkspace(around, job) : around.workspace,
    shell: ports.shell && around.commands ? guardedShell(around, job, ports.shell, around.commands) : ports.shell,
    js: ports.js,
    fetch: ports.fetch,
    model: ports.model,
    memory: ports.memory,
    preview: ports.preview,
    bundler: ports.bundler,
    sessions: around.sessions,
    host,
    now: new Date(job.started),
    callId: job.id,
    limits: deadlineMs === limits.deadlineMs ? limits : Object.freeze({ ...limits, deadlineMs }),
    versions,
    log: (message, data) => {
      if (!scope.closed) emitLog(around.events, job, message, data)
    },
    progress: (update) => {
      if (!scope.closed) emitProgress(around.events, job, update)
    },
    invoke: (name, input, signal) => around.invoke(job, name, input, signal),
    tools: around.tools,
  }
  return Object.defineProperty(context, 'signal', SIGNAL) as typeof context & Pick<ToolContext, 'signal'>
}

/** Emits a log event of a call. */
export function emitLog(events: Events, { id, tool }: Job, message: string, data?: JsonValue): void {
  if (!events.wanted) return
  const known = data === undefined ? undefined : normaliseOutput(data)
  events.emit({ type: 'log', callId: id, tool, message: String(message), ...(known?.ok && { data: known.value }) })
}

function emitProgress(events: Events, job: Job, given: JsonValue): void {
  if (!events.wanted && !job.onProgress) return
  const update = normaliseOutput(given)
  if (!update.ok) {
    emitLog(events, job, `Progress was dropped: ${update.message}`)
    return
  }
  if (job.onProgress) notify(job.onProgress, update.value)
  if (events.wanted) events.emit({ type: 'progress', callId: job.id, tool: job.tool, update: update.value })
}

function scopedWorkspace(around: Surroundings, job: Job): Workspace {
  return around.workspace.scope({
    approve: async ({ path, access, reason }) => {
      const signal = job.scope.signal
      const request = { callId: job.id, tool: job.tool, input: job.input, path, access, signal, ...(reason !== undefined && { reason }) }
      const approved = await askUntilStopped(around.approve, request)
      emitApproval(around.events, job, approved)
      return approved
    },
  })
}

function guardedShell(
  { approve, events }: Surroundings,
  job: Job,
  shell: ShellAdapter,
  commands: NonNullable<Surroundings['commands']>,
): ShellAdapter {
  return guardShell(shell, job, {
    commands,
    approve,
    onApproval: (approved) => emitApproval(events, job, approved),
    onProblem: (message) => {
      if (!job.scope.closed) emitLog(events, job, message)
    },
  })
}

function emitApproval(events: Events, { id, tool, scope }: Job, approved: boolean): void {
  if (events.wanted && !scope.closed) events.emit({ type: 'approval', callId: id, tool, approved })
}
