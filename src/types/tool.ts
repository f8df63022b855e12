import type { Host } from './host.js'
import type { JsAdapter } from './js.js'
import type { FetchAdapter, MemoryAdapter, ModelAdapter } from './ports.js'
import type { Bundler, PreviewAdapter } from './preview.js'
import type { Sessions } from './session.js'
import type { ShellAdapter } from './shell.js'
import type { Workspace } from './workspace.js'

/** Any value that JSON can express. */
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
    /** The Standard JSON Schema interface, if the library has one. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> } | undefined
  }
}

/** The result of a Standard Schema validation: the parsed value, or the list of issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
      }[]
    }

/** The schema of a tool: a Standard Schema, or plain JSON Schema (which validates input and applies no defaults). */
export type SchemaLike<Output = unknown> = StandardSchemaLike<Output> | JsonSchema

/** The type that `run` receives for a schema: the Standard Schema's output, or an open record for plain JSON Schema. */
export type InferInput<S> = S extends { readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined } }
  ? Output
  : { readonly [key: string]: unknown }

/** Hints for clients and policies, named as in MCP. */
export interface ToolAnnotations {
  readonly title?: string
  /** The tool changes nothing. `executeAll` runs such calls in parallel. */
  readonly readOnlyHint?: boolean
  /** The tool may destroy data that it does not return. */
  readonly destructiveHint?: boolean
  /** Repeating the same call has no further effect. */
  readonly idempotentHint?: boolean
  /**
   * The tool reaches beyond the workspace. `false`: the tool changes files through the workspace only, so automatic checkpoints need no
   * scan.
   */
  readonly openWorldHint?: boolean
}

/** A port that a tool needs. The manifest omits the tool if the runtime lacks the port. */
export type Requirement = 'shell' | 'shell.spawn' | 'js' | 'js.spawn' | 'fetch' | 'model' | 'memory' | 'preview' | 'bundler'

/** One part of a result for the model: text, or a base64 image. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }

/** Defaults and maxima of one runtime (`defaultLimits`). Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** Maximum time for a whole call; default 120,000. */
  readonly deadlineMs: number
  /** Time for a tool to return a partial result after an abort or the deadline; default 250. */
  readonly graceMs: number
  /** Maximum size of one result's text for the model; default 64 KiB. */
  readonly outputBytes: number
  /** Size of the pieces in which `grep` searches a file; default 8 MiB. A smaller file is searched at once. */
  readonly grepFileBytes: number
  /** Maximum kept output of one shell stream; default 256 KiB. */
  readonly shellStreamBytes: number
}

/** The ports that tools can require besides the workspace. */
export interface Ports {
  readonly shell?: ShellAdapter
  readonly js?: JsAdapter
  readonly fetch?: FetchAdapter
  readonly model?: ModelAdapter
  readonly memory?: MemoryAdapter
  readonly preview?: PreviewAdapter
  readonly bundler?: Bundler
}

/** The second argument of a tool's `run`: the workspace, the ports and the state of one call. */
export interface ToolContext extends Ports {
  readonly workspace: Workspace
  /** Background sessions, which outlive the call. */
  readonly sessions: Sessions
  readonly host: Host
  /** The host's time when the call began. */
  readonly now: Date
  readonly callId: string
  /** Diagnostics for the host, not for the model. */
  readonly log: (message: string, data?: JsonValue) => void
  /** Aborts when the caller aborts and at the deadline. The tool should then return its partial result. */
  readonly signal: AbortSignal
  readonly limits: Limits
  /** Streams part of the result while the call runs. */
  readonly progress: (update: JsonValue) => void
  /** Maps a resolved path to its version at the last read or write through this runtime, for ESTALE. */
  readonly versions: Map<string, string>
  /**
   * Runs another tool of the same runtime within this call. Policy, approval, events and limits apply as to any call, and the call ends at
   * the deadline of the outer call at the latest. Never rejects. After the outer call has ended the result is `aborted`. Calls nested more
   * than five deep are `denied`.
   */
  readonly invoke?: (name: string, input: unknown, signal?: AbortSignal) => Promise<ToolResult>
  /** The runtime's tool table, for tools that register tools. */
  readonly tools?: ToolTable
}

/** A return value of `run` with content that is not JSON text, or with its own text for the model. Build it with `reply`. */
export interface ToolReply<Output = JsonValue> {
  readonly kind: 'toolport.reply'
  readonly output: Output
  readonly content: readonly ContentPart[]
}

/** A tool: its name and schemas for the model, and the function that runs it. `defineTool` infers the types. */
export interface ToolDefinition<Input = unknown, Output = unknown> {
  /** Must match `^[a-zA-Z0-9_.:-]+$`; snake_case by convention. */
  readonly name: string
  /** The model reads this text. */
  readonly description: string
  readonly inputSchema: SchemaLike<Input>
  /**
   * Schema of the return value of `run`. A function loads the schema on demand: manifests contain it after
   * `ToolRegistry.loadOutputSchemas`.
   */
  readonly outputSchema?: SchemaLike | (() => Promise<SchemaLike>)
  readonly annotations?: ToolAnnotations
  /** Ports that the tool needs. The manifest omits the tool if the runtime lacks one. */
  readonly requires?: readonly Requirement[]
  /** Formats the output for the model; default: the JSON of the output. Must be pure. The runtime calls it for successful results only. */
  readonly toText?: (output: Output) => string
  readonly run: (input: Input, context: ToolContext) => Output | ToolReply<Output> | Promise<Output | ToolReply<Output>>
}

/** The tools of a runtime. You can change them while it runs. */
export interface ToolTable {
  has(name: string): boolean
  get(name: string): AnyTool | undefined
  /** @throws RegistryError duplicate_tool, invalid_tool_name, unsupported_schema */
  register(tool: AnyTool): unknown
  unregister(name: string): unknown
  find?(name: string): { readonly disabled?: object } | undefined
}

/** A tool with any input, as a registry holds it. */
// biome-ignore lint/suspicious/noExplicitAny: a list of tools has no common input type; `run` is called with validated input only.
export type AnyTool = ToolDefinition<any, any>

/** A call of a tool, as a model requests it. */
export interface ToolCall {
  /** Default `call_1`, `call_2`, ... per runtime. */
  readonly id?: string
  readonly name: string
  readonly input?: unknown
}

/** The class of a failure. docs/errors.md lists the status of each code. */
export type ToolStatus = 'error' | 'denied' | 'invalid_input' | 'unsupported' | 'not_found' | 'aborted' | 'timeout'

/** One problem of a call's input. */
export interface InputIssue {
  /** Place in the input (`edits[0].old_string`); empty for the input as a whole. */
  readonly path: string
  readonly message: string
}

/** The machine-readable part of a failed call. Some codes add more fields (docs/errors.md). */
export interface ToolFailure {
  readonly status: ToolStatus
  /** `ENOENT`, `ambiguous_match`, ... (docs/errors.md). */
  readonly code: string
  /** The id of the call; null for results that belong to no call. */
  readonly callId: string | null
  readonly tool: string
  /** Whether the same tool may succeed with other input, or later. */
  readonly recoverable: boolean
  /** How to correct the call. */
  readonly hint?: string
  readonly issues?: readonly InputIssue[]
  readonly [detail: string]: unknown
}

/** The result of a successful call. */
export interface ToolSuccess {
  readonly ok: true
  readonly output: JsonValue
  /** The parts that the model reads instead of the JSON of `output`. */
  readonly content?: readonly ContentPart[]
}

/** The result of a failed call. */
export interface ToolError {
  readonly ok: false
  readonly output: ToolFailure
  /** Message for people and models. */
  readonly error: string
}

/** The result of a call. `ok` tells success from failure. */
export type ToolResult = ToolSuccess | ToolError

/** One tool as clients and model providers see it. */
export interface ManifestEntry {
  readonly name: string
  /** A provider-safe name, unique in the manifest: `^[a-zA-Z0-9_-]{1,64}$`. It is `name` with unsupported characters replaced. */
  readonly alias: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
}
