import { readCall } from '../../runtime/read-call.js'
import { ToolRuntime, type ToolRuntimeOptions } from '../../runtime/tool-runtime.js'
import type { Ports } from '../../types/tool.js'
import { registryBehind } from './registry.js'
import type { LoafToolCall, LoafToolContext, LoafToolRegistry, LoafToolResult } from './types.js'
import { toWire } from './wire.js'

/** The runtimes of one instance, one per registry, and their running calls. */
export class Running {
  readonly #options: ToolRuntimeOptions & Ports
  readonly #runtimes = new Map<LoafToolRegistry, ToolRuntime>()
  readonly #callers = new Map<string, Partial<LoafToolContext>>()
  #lastId = 0

  constructor(options: ToolRuntimeOptions) {
    this.#options = options
  }

  /** Returns the context that the caller passed with a running call. */
  caller(callId: string): Partial<LoafToolContext> | undefined {
    return this.#callers.get(callId)
  }

  runtimeOf(registry: LoafToolRegistry): ToolRuntime {
    const known = this.#runtimes.get(registry)
    if (known) return known
    const runtime = new ToolRuntime(registryBehind(registry), this.#options)
    this.#runtimes.set(registry, runtime)
    return runtime
  }

  /** Runs a call. Never rejects. */
  async execute(registry: LoafToolRegistry, call: LoafToolCall, context: unknown): Promise<LoafToolResult> {
    const { id: givenId, name, input, problem } = readCall(call, () => '')
    const caller = readCaller(context)
    const id = this.#freeId(givenId)
    this.#callers.set(id, caller)
    try {
      // Pass an invalid call unchanged, so that the runtime reports its problem.
      const given = problem === undefined ? { id, name, input } : call
      const result = await this.runtimeOf(registry).execute(given, { signal: caller.signal })
      return toWire(result, { name, input, ...(givenId !== '' && { id: givenId }) })
    } finally {
      this.#callers.delete(id)
    }
  }

  /** Aborts running calls, and closes shell, js and workspace. Rejects with the first error of closing. */
  async dispose(): Promise<void> {
    const endings = await Promise.allSettled([...this.#runtimes.values()].map((runtime) => runtime.dispose()))
    const failed = endings.find((ending) => ending.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Makes an id unique among running calls, because two concurrent calls may have the same id. */
  #freeId(given: string): string {
    let id = given === '' ? `call_${++this.#lastId}` : given
    while (this.#callers.has(id)) id = `${given}#${++this.#lastId}`
    return id
  }
}

/** Reads each field once, because contexts come from outside. An unreadable field counts as absent. */
function readCaller(context: unknown): Partial<LoafToolContext> {
  if (typeof context !== 'object' || context === null) return {}
  try {
    const { now, log, signal } = context as Partial<LoafToolContext>
    return {
      ...(now instanceof Date && { now }),
      ...(typeof log === 'function' && { log: (message: string) => log(message) }),
      ...(signal && { signal }),
    }
  } catch {
    return {}
  }
}
