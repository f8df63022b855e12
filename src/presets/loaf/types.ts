import type { JsonValue } from '../../types/tool.js'

// The documented types with a prefix, because `toolport` has other types named `ToolDefinition`, `ToolContext`, ...

/** The input of a tool: an object. */
export type LoafToolInput = { readonly [name: string]: unknown }

/** The JSON Schema of a tool's input. */
export interface LoafInputSchema {
  readonly type: 'object'
  readonly properties: Record<string, Record<string, unknown>>
  readonly required?: string[]
  readonly additionalProperties?: boolean
}

/** The second argument of a tool's `run`. */
export interface LoafToolContext {
  readonly now: Date
  /** Writes diagnostics for the host. */
  readonly log?: (message: string) => void
  readonly signal?: AbortSignal
}

/** The result of a tool in the documented form. */
export interface LoafToolResult<Output extends JsonValue = JsonValue> {
  readonly ok: boolean
  /** Also present on failure, usually `{status, ...}`. */
  readonly output: Output
  /** The message of a failure. */
  readonly error?: string
}

/** A tool in the documented form. */
export interface LoafToolDefinition<Input extends LoafToolInput = LoafToolInput, Output extends JsonValue = JsonValue> {
  readonly name: string
  /** The model reads this text. */
  readonly description: string
  /** The model sees this schema. The runtime does not validate input by it, so the tool must handle any input. */
  readonly inputSchema?: LoafInputSchema
  // A method, not a function property, so that a tool with a specific input type is assignable to a tool with any input.
  run(input: Input, context: LoafToolContext): Promise<LoafToolResult<Output>> | LoafToolResult<Output>
}

/** A call of a tool. */
export interface LoafToolCall {
  readonly id?: string
  readonly name: string
  readonly input?: unknown
}

/** One tool as a model sees it. */
export interface LoafManifestEntry {
  readonly name: string
  readonly description: string
  readonly inputSchema: LoafInputSchema | undefined
}

/** The tools of a runtime by name. Methods that change the registry return the registry. */
export interface LoafToolRegistry {
  /** @throws RegistryError `tool already registered: <name>`, or for a name with characters other than letters, numbers and `_ . : -` */
  register(tool: LoafToolDefinition): this
  /** Registers all tools, or none if one is invalid. */
  registerMany(tools: Iterable<LoafToolDefinition>): this
  /** Ignores unknown names. */
  unregister(name: string): this
  get(name: string): LoafToolDefinition | undefined
  has(name: string): boolean
  /** Sorted by name, in code-unit order. */
  list(): LoafToolDefinition[]
  /** Lists the tools for a model, sorted by name, without tools whose adapters are missing. */
  getModelManifest(): LoafManifestEntry[]
}

/** Runs calls. `execute` never rejects. */
export interface LoafToolRuntime {
  /** Runs a call. `context.now` defaults to the host's time. */
  execute(call: LoafToolCall, context?: Partial<LoafToolContext>): Promise<LoafToolResult>
}
