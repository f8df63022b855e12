import type { JsonValue } from '../../types/tool.js'

// The documented types, under names of their own: `ToolDefinition`, `ToolContext`, ... of `toolport` are others.

export type LoafToolInput = { readonly [name: string]: unknown }

export interface LoafInputSchema {
  readonly type: 'object'
  readonly properties: Record<string, Record<string, unknown>>
  readonly required?: string[]
  readonly additionalProperties?: boolean
}

export interface LoafToolContext {
  readonly now: Date
  /** Diagnostics for the host. */
  readonly log?: (message: string) => void
  readonly signal?: AbortSignal
}

export interface LoafToolResult<Output extends JsonValue = JsonValue> {
  readonly ok: boolean
  /** Of a failure too, mostly `{status, ...}`. */
  readonly output: Output
  /** What went wrong, if `ok` is false. */
  readonly error?: string
}

/** A tool in the documented form. */
export interface LoafToolDefinition<Input extends LoafToolInput = LoafToolInput, Output extends JsonValue = JsonValue> {
  readonly name: string
  /** Read by the model. */
  readonly description: string
  /** Told to the model. Input is not checked against it: what to do with other input is the tool's own affair. */
  readonly inputSchema?: LoafInputSchema
  // A method, so that a tool of one input goes where tools of any input are taken.
  run(input: Input, context: LoafToolContext): Promise<LoafToolResult<Output>> | LoafToolResult<Output>
}

export interface LoafToolCall {
  readonly id?: string
  readonly name: string
  readonly input?: unknown
}

export interface LoafManifestEntry {
  readonly name: string
  readonly description: string
  readonly inputSchema: LoafInputSchema | undefined
}

/** The tools of a runtime by name. Methods that change it return it. */
export interface LoafToolRegistry {
  /** @throws RegistryError `tool already registered: <name>`, or for a name with other characters than letters, numbers and `_ . : -` */
  register(tool: LoafToolDefinition): this
  /** All of them or, when one is refused, none. */
  registerMany(tools: Iterable<LoafToolDefinition>): this
  /** Nothing happens for a name that is not there. */
  unregister(name: string): this
  get(name: string): LoafToolDefinition | undefined
  has(name: string): boolean
  /** By name, in code-unit order. */
  list(): LoafToolDefinition[]
  /** What a model is offered, in the same order: without the tools whose adapters this instance does not have. */
  getModelManifest(): LoafManifestEntry[]
}

/** Runs calls. `execute` never rejects. */
export interface LoafToolRuntime {
  /** `context`: `now` defaults to the host's time. */
  execute(call: LoafToolCall, context?: Partial<LoafToolContext>): Promise<LoafToolResult>
}
