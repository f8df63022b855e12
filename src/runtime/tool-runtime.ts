import { shorten } from '../core/field-path.js'
import { lazy } from '../core/lazy.js'
import { withLimits } from '../core/limits.js'
import { failure, toFailure } from '../core/result.js'
import { wording } from '../core/schema.js'
import type { RegisteredTool, ToolRegistry } from '../core/tool-registry.js'
import { PolicyError } from '../errors/index.js'
import { createSessions } from '../sessions/index.js'
import type { Host } from '../types/host.js'
import type { JsAdapter } from '../types/js.js'
import type { Preset, PresetAnswer } from '../types/preset.js'
import type { CallContext, RuntimeCheckpoints, RuntimeHooks, RuntimePolicy } from '../types/runtime.js'
import type { Sessions, SessionsOptions } from '../types/session.js'
import type { JsonValue, Limits, ManifestEntry, Ports, Requirement, ToolCall, ToolError, ToolFailure, ToolResult } from '../types/tool.js'
import type { Workspace } from '../types/workspace.js'
import { Admission } from './admit-call.js'
import type { Job, Surroundings } from './call-context.js'
import { runGrouped } from './call-groups.js'
import { CallScope, type ScopeSources, STOPPED } from './call-scope.js'
import { CallerSignals } from './caller-signals.js'
import { Deadlines } from './deadline-timers.js'
import { type EventListener, Events } from './events.js'
import { availableOf, missingPort } from './ports.js'
import { readCall, readContext } from './read-call.js'
import { runTool } from './run-tool.js'
import { stoppedCall } from './stopped-call.js'
import { storeWrites } from './store-writes.js'
import { ToolCallError } from './tool-call-error.js'
import { invalidInput, validateCall } from './validate-call.js'

/** Loads only if automatic checkpoints are on. */
const automatic = lazy(() => import('./automatic-checkpoint.js'))

/** Options of `new ToolRuntime`. `createRuntime` builds them from simpler options. */
export interface ToolRuntimeOptions extends Ports {
  readonly workspace: Workspace
  /** Clock, randomness and timers. Default: those of the workspace. */
  readonly host?: Host
  readonly policy?: RuntimePolicy
  readonly limits?: Partial<Limits>
  readonly hooks?: RuntimeHooks
  /** Options of the session table, or a table that several runtimes share. The runtime disposes the table. */
  readonly sessions?: Sessions | SessionsOptions
  /** Automatic checkpoints. The workspace decides how many checkpoints to keep. */
  readonly checkpoints?: Pick<RuntimeCheckpoints, 'automatic'>
  /** Whether to save the full text of truncated outputs in `.toolport/outputs/`. Default false; no effect in a read-only workspace. */
  readonly spill?: boolean
  /**
   * Whether the results of all tools begin with a line that marks them as data, not instructions. Default false. Helps against prompt
   * injection: files and web pages may contain text that misleads a model. The line is in `content` only. It does not change `output`,
   * failures, or results of calls that tools make.
   */
  readonly markData?: boolean
  /**
   * Whether path rules of the workspace may ask for approval. Default true. If `policy.approve` is set, `false` makes calls slightly
   * faster.
   */
  readonly pathsAsk?: boolean
  /** A preset's rules for validating input and wording failures. Register the preset's tools separately. */
  readonly preset?: Omit<Preset, 'tools'>
}

/** Maximum length of an unknown tool name in messages, because models may send anything. */
const LONGEST_NAME = 200

/**
 * Runs tool calls on one workspace: finds the tool, validates input, checks policy, and limits time and size. Every outcome of a tool,
 * including a failure, is a result.
 */
export class ToolRuntime {
  readonly registry: ToolRegistry
  readonly workspace: Workspace
  readonly limits: Limits
  /** Whether results begin with a line that marks them as data. */
  readonly markData: boolean
  /** The background sessions. */
  readonly sessions: Sessions
  /** The tool requirements that the ports of this runtime meet. */
  readonly available: ReadonlySet<Requirement>
  /** The JavaScript engine, for `loadCustomTools`. */
  readonly js: JsAdapter | undefined
  readonly #around: Surroundings
  readonly #admission: Admission
  readonly #preset: ToolRuntimeOptions['preset']
  readonly #events = new Events()
  readonly #sources: ScopeSources
  readonly #active = new Set<CallScope>()
  /** Whether the storage acknowledges writes before it stores them. */
  readonly #storesLater: boolean
  #lastId = 0
  #disposal: Promise<void> | undefined
  #onIdle: (() => void) | undefined

  /** @throws TypeError or RangeError for invalid limits or an invalid policy */
  constructor(registry: ToolRegistry, options: ToolRuntimeOptions) {
    const {
      workspace,
      host = workspace.host,
      policy = {},
      hooks = {},
      shell,
      js,
      fetch,
      model,
      memory,
      preview,
      bundler,
      spill = false,
      markData = false,
      pathsAsk = true,
    } = options
    const ports = { shell, js, fetch, model, memory, preview, bundler }
    const limits = withLimits(options.limits, withLimits(options.preset?.limits))
    this.registry = registry
    this.workspace = workspace
    this.limits = limits
    this.markData = markData
    this.sessions = sessionsOf(options.sessions, host)
    this.available = availableOf(ports)
    this.js = js
    this.#preset = options.preset
    this.#storesLater = !workspace.fs.can.durableOnAck && !workspace.readOnly
    this.#sources = { deadlines: new Deadlines(host), signals: new CallerSignals(), graceMs: limits.graceMs }
    const isAutomatic = options.checkpoints?.automatic === true && !workspace.readOnly
    const checkpoint: RuntimeHooks['checkpoint'] = async (call) => {
      if (isAutomatic) await (await automatic()).checkpointBefore(call, registry.find(call.name)?.tool, workspace, shell)
      await hooks.checkpoint?.(call)
    }
    this.#admission = new Admission(policy, isAutomatic ? checkpoint : hooks.checkpoint, this.#events, () => host.now())
    const versions = new Map<string, string>()
    const { approve, commands } = policy
    this.#around = {
      workspace,
      ports,
      sessions: this.sessions,
      host,
      limits,
      versions,
      events: this.#events,
      approve,
      commands,
      pathsAsk,
      spill,
      markData,
      tools: registry,
      invoke: (parent, name, input, signal) => this.#execute({ name, input }, nestedContext(this.#around, parent, signal), parent),
    }
    if (hooks.onEvent) this.#events.on(hooks.onEvent)
  }

  /** Runs one call, by name or by alias of the manifest. Never rejects: errors are in the result. */
  execute(call: ToolCall, context?: CallContext): Promise<ToolResult> {
    return this.#execute(call, context)
  }

  async #execute(call: ToolCall, context: CallContext | undefined, parent?: Job): Promise<ToolResult> {
    const { id, name, input, problem } = readCall(call, () => `call_${++this.#lastId}`)
    const caller = readContext(context)
    const entry = this.registry.find(name)
    const started = this.#around.host.now()
    const deadlineMs = Math.min(caller.deadlineMs ?? Infinity, this.limits.deadlineMs)
    const scope = new CallScope(this.#sources, started + deadlineMs, caller.signal)
    const job: Job = {
      id,
      tool: entry?.name ?? shorten(name, LONGEST_NAME),
      input,
      started,
      deadlineMs,
      scope,
      onProgress: caller.onProgress,
      depth: parent ? parent.depth + 1 : 0,
    }
    this.#active.add(scope)
    if (this.#events.wanted) {
      const from = parent && { parentId: parent.id }
      this.#events.emit({ type: 'call_start', callId: id, call: { id, name, input }, time: started, ...from })
    }
    const result = await this.#settle(job, entry, problem ?? caller.problem)
    scope.close()
    this.#active.delete(scope)
    if (this.#active.size === 0) this.#onIdle?.()
    if (this.#events.wanted) {
      const durationMs = this.#around.host.now() - started
      this.#events.emit({ type: 'call_end', callId: id, call: { id, name, input }, result, durationMs })
    }
    return result
  }

  /** Returns the output of one call. @throws ToolCallError with the result, if the call failed */
  async call(name: string, input?: unknown, context?: CallContext): Promise<JsonValue> {
    const result = await this.execute({ name, input }, context)
    if (!result.ok) throw new ToolCallError(result)
    return result.output
  }

  /**
   * Runs calls and returns their results in the order of the calls. Adjacent read-only calls run concurrently, at most eight at once. All
   * other calls run one after another.
   * @throws TypeError for a value that is not iterable
   */
  async executeAll(calls: Iterable<ToolCall>, context?: CallContext): Promise<ToolResult[]> {
    if (typeof calls !== 'object' || calls === null || typeof calls[Symbol.iterator] !== 'function')
      throw new TypeError(`Cannot run calls: expected an array or another iterable, got ${calls === null ? 'null' : typeof calls}`)
    const reads = (call: ToolCall): boolean => {
      const entry = this.registry.find(readCall(call, () => '').name)
      // A call with an unknown name runs nothing, so it counts as read-only.
      return entry?.tool.annotations?.readOnlyHint ?? entry === undefined
    }
    return runGrouped(Array.isArray(calls) ? calls : [...calls], reads, (call) => this.execute(call, context))
  }

  /** Calls the listener for every event. Returns a function that removes the listener. */
  on(listener: EventListener): () => void {
    return this.#events.on(listener)
  }

  /** Describes the tools that this runtime offers to a model: those whose requirements the ports meet. */
  getModelManifest(): ManifestEntry[] {
    return this.registry.getModelManifest(this.available)
  }

  /** Converts a result to the preset's own format. Without such a format, returns the result unchanged. */
  toWire(result: ToolResult, call: ToolCall): unknown {
    return this.#preset?.toWire ? this.#preset.toWire(result, call) : result
  }

  /**
   * Aborts running calls and waits for them, ends the background sessions, then closes shell, js and workspace. Later calls return
   * `aborted`. Idempotent.
   * Rejects with the first error of closing, after everything was closed.
   */
  dispose(): Promise<void> {
    // Start in a later microtask, so that code that runs on abort already sees a disposed runtime.
    this.#disposal ??= Promise.resolve().then(() => this.#shutDown())
    return this.#disposal
  }

  async #shutDown(): Promise<void> {
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    for (const scope of this.#active) scope.stop('aborted')
    if (this.#active.size > 0) await idle
    const errors: unknown[] = []
    const { shell, js } = this.#around.ports
    const endings = [() => this.sessions.dispose(), ...[shell, js, this.workspace].map((port) => () => port?.close?.())]
    for (const end of endings) {
      try {
        await end()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }

  async #settle(job: Job, entry: RegisteredTool | undefined, problem: string | undefined): Promise<ToolResult> {
    const call = { callId: job.id, tool: job.tool }
    try {
      if (problem !== undefined) return this.#worded(failure('invalid_input', problem, call))
      if (!entry) {
        const names = this.registry.list().map(({ name }) => name)
        const { meantFor } = await wording()
        const unknown = failure('unknown_tool', `unknown tool: ${call.tool}`, call, meantFor(call.tool, names))
        return this.#worded(unknown, () => this.#preset?.renderUnknown?.(job.tool))
      }
      if (this.#disposal) job.scope.stop('aborted')
      if (job.scope.stopped) return this.#worded(stoppedCall(job))
      checkDepth(job)
      return await this.#run(job, entry)
    } catch (error) {
      return this.#worded(error === STOPPED ? stoppedCall(job) : toFailure(error, call))
    }
  }

  async #run(job: Job, entry: RegisteredTool): Promise<ToolResult> {
    checkOffered(entry, this.#around.ports, this.available)
    const validating = validateCall(entry, job.input, this.#preset?.validation ?? 'strict', job.scope)
    const checked = validating instanceof Promise ? await validating : validating
    if (!checked.ok) {
      const invalid = invalidInput(checked, { callId: job.id, tool: job.tool })
      return this.#worded(invalid, () => this.#preset?.renderInvalid?.(job.tool, checked.issues))
    }
    const admitting = this.#admission.admit(job, entry.tool.annotations?.readOnlyHint === true)
    const refused = admitting && (await admitting)
    let result = refused ?? (await runTool(this.#around, this.registry, job, entry, checked.value))
    if (this.#storesLater && !refused && mayWrite(entry, this.#around)) result = await storeWrites(this.#around, job, result)
    return result.ok ? result : this.#worded(result)
  }

  /** Renders a failure with the preset. If the preset has no text for the failure or throws, the failure stays unchanged. */
  #worded(result: ToolError, render?: () => PresetAnswer | undefined): ToolError {
    let answer: PresetAnswer | undefined
    try {
      answer = render?.() ?? this.#preset?.renderFailure?.(result)
    } catch {
      return result
    }
    if (answer === undefined) return result
    const { error, details } = typeof answer === 'string' ? { error: answer } : answer
    const { status, code, callId, tool, hint: _, issues: __, ...rest } = result.output
    return { ok: false, output: { ...rest, ...details, status, code, callId, tool } as ToolFailure, error }
  }
}

function sessionsOf(option: Sessions | SessionsOptions | undefined, host: Host): Sessions {
  return option !== undefined && 'start' in option ? option : createSessions(host, option)
}

/** Whether a call may write. With `spill`, a call of a read-only tool may write too, because its full output is saved. */
const mayWrite = ({ tool }: RegisteredTool, { spill }: Surroundings): boolean => tool.annotations?.readOnlyHint !== true || spill

/** @throws PolicyError for a disabled tool, UnsupportedError for a tool whose ports are missing */
function checkOffered({ name, tool, disabled }: RegisteredTool, ports: Ports, available: ReadonlySet<Requirement>): void {
  if (disabled) {
    const why = disabled.reason === undefined ? '' : `: ${disabled.reason}`
    throw new PolicyError('tool_excluded', `Cannot run "${name}": it is disabled${why}`, 'disabled', disabled.reason)
  }
  const missing = tool.requires?.find((need) => !available.has(need))
  if (missing) throw missingPort(name, missing, ports)
}

/** Maximum depth of nested calls. */
const DEEPEST = 5

/** @throws PolicyError for a call nested too deeply, because tools that call each other would never end */
function checkDepth({ tool, depth }: Job): void {
  if (depth <= DEEPEST) return
  throw new PolicyError('tool_excluded', `Cannot run "${tool}": calls are already nested ${DEEPEST} deep`, 'depth')
}

/** Creates the context of a nested call. Its deadline is the remaining time of the outer call. */
function nestedContext({ host }: Surroundings, { scope, started, deadlineMs }: Job, signal: AbortSignal | undefined): CallContext {
  if (scope.closed) return { signal: AbortSignal.abort() }
  const left = Math.max(0, started + deadlineMs - host.now())
  return { signal: signal ? AbortSignal.any([scope.signal, signal]) : scope.signal, deadlineMs: left }
}
