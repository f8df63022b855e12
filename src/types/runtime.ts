import type { CheckpointLimits } from './checkpoint.js'
import type { JsonValue, ToolCall, ToolResult } from './tool.js'

/** Allows, denies or asks before calls of some tools. */
export interface ToolRule {
  /** Tool names; `*` matches any characters. */
  readonly tools: string | readonly string[]
  /** `ask` calls `RuntimePolicy.approve`. */
  readonly action: 'allow' | 'deny' | 'ask'
  /** The model sees this text. */
  readonly reason?: string
}

/** A command that a tool is about to run through the shell port. */
export interface CommandRequest {
  readonly callId: string
  readonly tool: string
  readonly command: string
  /** Working directory of the command; default: the workspace's cwd. */
  readonly cwd?: string
  /** Variables that differ from the shell's own and its last command's. Check `PATH`: it decides which program a name means. */
  readonly env?: Readonly<Record<string, string>>
  /** The input of the command. If the command is a shell, this is a script. */
  readonly stdin?: string
  readonly signal: AbortSignal
}

/** The decision of `RuntimePolicy.commands` about one command, with an optional reason for the model. */
export type CommandVerdict =
  | 'allow'
  | 'deny'
  | 'ask'
  /** The model sees `reason`. */
  | { readonly action: 'allow' | 'deny' | 'ask'; readonly reason?: string }

/** The request that `approve` decides. A path rule sets `path` and `access`; the command policy sets `command`. */
export interface ApprovalRequest {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
  readonly reason?: string
  readonly path?: string
  readonly access?: 'read' | 'write'
  readonly command?: string
  readonly signal: AbortSignal
}

/** Which calls and commands a runtime allows. `WorkspacePolicy` covers paths. */
export interface RuntimePolicy {
  /** The first matching rule decides. Tools without a matching rule are allowed. */
  readonly tools?: readonly ToolRule[]
  /** Decides on every command before the shell port runs it. Default: allows all commands. If it rejects, the command is denied. */
  readonly commands?: (request: CommandRequest) => CommandVerdict | Promise<CommandVerdict>
  /** Answers every `ask`. If this function is missing or rejects, the runtime denies the call. */
  readonly approve?: (request: ApprovalRequest) => boolean | Promise<boolean>
  /** Limits the rate to `calls` calls in any window of `perMs` milliseconds. Further calls fail with `rate_limited`. 0 allows no calls. */
  readonly rate?: { readonly calls: number; readonly perMs: number }
}

/** Options of one call. */
export interface CallContext {
  readonly signal?: AbortSignal
  /**
   * Deadline of the whole call in milliseconds, at least 0 (no waiting). The runtime's own limit caps larger values. Negative numbers and
   * other types fail with `invalid_input`.
   */
  readonly deadlineMs?: number
  readonly onProgress?: (update: JsonValue) => void
}

/** An event of a runtime, for logs and interfaces. Times are milliseconds since the epoch; `spilled` is the path of the full output. */
export type RuntimeEvent =
  | {
      readonly type: 'call_start'
      readonly callId: string
      readonly call: ToolCall
      readonly time: number
      /** The call whose tool invoked this call. */
      readonly parentId?: string
    }
  | { readonly type: 'progress'; readonly callId: string; readonly tool: string; readonly update: JsonValue }
  | { readonly type: 'log'; readonly callId: string; readonly tool: string; readonly message: string; readonly data?: JsonValue }
  | { readonly type: 'approval'; readonly callId: string; readonly tool: string; readonly approved: boolean }
  | { readonly type: 'truncated'; readonly callId: string; readonly tool: string; readonly bytes: number; readonly spilled?: string }
  | {
      readonly type: 'call_end'
      readonly callId: string
      readonly call: ToolCall
      readonly result: ToolResult
      readonly durationMs: number
    }

/** The checkpoints of a runtime. */
export interface RuntimeCheckpoints extends CheckpointLimits {
  /**
   * Takes a checkpoint before every call that may write, after policy. Its label names the tool and its target. The runtime reuses the last
   * checkpoint if nothing has changed. If the checkpoint fails, the call does not run. On a directory the runtime scans the tree only
   * before calls that can bypass the workspace. Default false; has no effect in a read-only workspace.
   */
  readonly automatic?: boolean
}

/** Functions that a runtime calls around each tool call. */
export interface RuntimeHooks {
  /** Runs after policy, before each call that may write. If it rejects, the call fails. */
  readonly checkpoint?: (call: ToolCall & { readonly id: string }) => void | Promise<void>
  /** Receives every event. The runtime ignores its exceptions. */
  readonly onEvent?: (event: RuntimeEvent) => void
}
