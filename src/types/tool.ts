import type { Host } from './host.js'
import type { JsAdapter } from './js.js'
import type { FetchAdapter, MemoryAdapter, ModelAdapter } from './ports.js'
import type { Sessions } from './session.js'
import type { ShellAdapter } from './shell.js'
import type { Workspace } from './workspace.js'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined }

/** A JSON Schema object (draft 2020-12). */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** The part of the Standard Schema interface that validation needs: zod 4, valibot, arktype. */
export interface StandardSchemaLike<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    /** Standard JSON Schema, where the library has it. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> } | undefined
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
      }[]
    }

/** What a tool may give as its schema: a Standard Schema, or plain JSON Schema (validated as it is, without defaults). */
export type SchemaLike<Output = unknown> = StandardSchemaLike<Output> | JsonSchema

/** What `run` gets for a schema: the Standard Schema's output, or an open record for plain JSON Schema. */
export type InferInput<S> = S extends { readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined } }
  ? Output
  : { readonly [key: string]: unknown }

/** Hints for clients and policies, with the names that MCP uses. */
export interface ToolAnnotations {
  readonly title?: string
  /** Changes nothing. Such calls run side by side in `executeAll`. */
  readonly readOnlyHint?: boolean
  /** May destroy what it does not return. */
  readonly destructiveHint?: boolean
  /** The same call twice has no further effect. */
  readonly idempotentHint?: boolean
  /** Reaches beyond the workspace. `false`: changes files through the workspace only, so that automatic checkpoints need no scan. */
  readonly openWorldHint?: boolean
}

export type Requirement = 'shell' | 'shell.spawn' | 'js' | 'js.spawn' | 'fetch' | 'model' | 'memory'

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }

/** The defaults and maxima of one runtime (`defaultLimits`). Bytes and milliseconds. */
export interface Limits {
  /** A whole call; default 120,000. */
  readonly deadlineMs: number
  /** After an abort or the deadline, the time a tool has to hand in what it has; default 250. */
  readonly graceMs: number
  /** Text that a model reads of one result; default 64 KiB. */
  readonly outputBytes: number
  /** One file read whole by grep; longer ones are skipped and counted; default 8 MiB. */
  readonly grepFileBytes: number
  /** One shell stream; default 256 KiB. */
  readonly shellStreamBytes: number
}

export interface ToolContext {
  readonly workspace: Workspace
  readonly shell?: ShellAdapter
  readonly js?: JsAdapter
  readonly fetch?: FetchAdapter
  readonly model?: ModelAdapter
  readonly memory?: MemoryAdapter
  /** Background sessions, which go on when the call has ended. */
  readonly sessions: Sessions
  readonly host: Host
  /** The host's time when the call began. */
  readonly now: Date
  readonly callId: string
  /** Diagnostics for the host, not for the model. */
  readonly log: (message: string, data?: JsonValue) => void
  /** Aborts at the caller's abort and at the deadline. A tool that sees it returns what it has. */
  readonly signal: AbortSignal
  readonly limits: Limits
  /** Streams part of the result while the call runs. */
  readonly progress: (update: JsonValue) => void
  /** Resolved path -> version at the last read or write through this runtime, for ESTALE. */
  readonly versions: Map<string, string>
  /**
   * Runs a tool of the same runtime within this call: policy, approval, events and limits as for any call, and the deadline of this one
   * at the latest. Never rejects. Once this call is answered it is `aborted`; more than five calls within each other are `denied`.
   */
  readonly invoke?: (name: string, input: unknown, signal?: AbortSignal) => Promise<ToolResult>
  /** The runtime's own tools, for tools that make tools. */
  readonly tools?: ToolTable
}

/** What `run` returns when its output has parts that are not JSON text, or words of its own for the model. */
export interface ToolReply<Output = JsonValue> {
  readonly kind: 'toolport.reply'
  readonly output: Output
  readonly content: readonly ContentPart[]
}

export interface ToolDefinition<Input = unknown, Output = unknown> {
  /** `^[a-zA-Z0-9_.:-]+$`, snake_case by habit. */
  readonly name: string
  /** Read by the model. */
  readonly description: string
  readonly inputSchema: SchemaLike<Input>
  /** Of what `run` returns. A function loads it on demand: manifests have it from `ToolRegistry.loadOutputSchemas` on. */
  readonly outputSchema?: SchemaLike | (() => Promise<SchemaLike>)
  readonly annotations?: ToolAnnotations
  /** Ports without which the tool is left out of the manifest. */
  readonly requires?: readonly Requirement[]
  /**
   * The output as a model should read it; default: the JSON of the output.
   * Pure, and called for successful results only.
   */
  readonly toText?: (output: Output) => string
  readonly run: (input: Input, context: ToolContext) => Output | ToolReply<Output> | Promise<Output | ToolReply<Output>>
}

/** The tools of a runtime, which may be changed while it runs. */
export interface ToolTable {
  has(name: string): boolean
  get(name: string): AnyTool | undefined
  /** @throws RegistryError duplicate_tool, invalid_tool_name, unsupported_schema */
  register(tool: AnyTool): unknown
  unregister(name: string): unknown
  find?(name: string): { readonly disabled?: object } | undefined
}

/** A tool of any input, as a registry holds it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of tools has no common input type; `run` is called with validated input only.
export type AnyTool = ToolDefinition<any, any>

export interface ToolCall {
  readonly id?: string
  readonly name: string
  readonly input?: unknown
}

export type ToolStatus = 'error' | 'denied' | 'invalid_input' | 'unsupported' | 'not_found' | 'aborted' | 'timeout'

export interface InputIssue {
  /** `edits[0].old_string`; empty for the input as a whole. */
  readonly path: string
  readonly message: string
}

export interface ToolFailure {
  readonly status: ToolStatus
  /** `ENOENT`, `ambiguous_match`, ... (docs/errors.md). */
  readonly code: string
  readonly callId: string | null
  readonly tool: string
  /** Whether the same tool may succeed with other input, or later. */
  readonly recoverable: boolean
  /** What to change. */
  readonly hint?: string
  readonly issues?: readonly InputIssue[]
  readonly [detail: string]: unknown
}

export interface ToolSuccess {
  readonly ok: true
  readonly output: JsonValue
  /** What a model reads, where it is not the JSON of `output`. */
  readonly content?: readonly ContentPart[]
}

export interface ToolError {
  readonly ok: false
  readonly output: ToolFailure
  readonly error: string
}

export type ToolResult = ToolSuccess | ToolError

export interface ManifestEntry {
  readonly name: string
  /** `name` with what providers refuse replaced, unique in the manifest: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly alias: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
}
