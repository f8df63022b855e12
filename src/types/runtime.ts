import type { CheckpointLimits } from './checkpoint.js'
import type { JsonValue, ToolCall, ToolResult } from './tool.js'

export interface ToolRule {
  /** Tool names; `*` stands for any run of characters. */
  readonly tools: string | readonly string[]
  readonly action: 'allow' | 'deny' | 'ask'
  /** Told to the model. */
  readonly reason?: string
}

/** A command that is about to run through the shell port, whichever tool runs it. */
export interface CommandRequest {
  readonly callId: string
  readonly tool: string
  readonly command: string
  /** Where it will run; default the workspace's cwd. */
  readonly cwd?: string
  /** Variables that are not the shell's own, nor as its last command left them: a `PATH` decides what a name means. */
  readonly env?: Readonly<Record<string, string>>
  /** What it reads: a script, where the command is a shell. */
  readonly stdin?: string
  readonly signal: AbortSignal
}

export type CommandVerdict =
  | 'allow'
  | 'deny'
  | 'ask'
  /** `reason` is told to the model. */
  | { readonly action: 'allow' | 'deny' | 'ask'; readonly reason?: string }

/** What `approve` is asked about. `path` and `access` are there when a path rule asks, `command` when the command policy asks. */
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

export interface RuntimePolicy {
  /** The first rule that fits decides; none: allowed. */
  readonly tools?: readonly ToolRule[]
  /** Decides on every command before the shell port runs it; default all are allowed. A rejection denies. */
  readonly commands?: (request: CommandRequest) => CommandVerdict | Promise<CommandVerdict>
  /** Answers every `ask`. Without it, asking is denying. A rejection denies. */
  readonly approve?: (request: ApprovalRequest) => boolean | Promise<boolean>
  /** Calls in any window of `perMs`; the next one is refused. 0 allows none. */
  readonly rate?: { readonly calls: number; readonly perMs: number }
}

export interface CallContext {
  readonly signal?: AbortSignal
  /** Milliseconds for the whole call, from 0 (nothing may wait) up; at most the runtime's own. Anything else is `invalid_input`. */
  readonly deadlineMs?: number
  readonly onProgress?: (update: JsonValue) => void
}

export type RuntimeEvent =
  | {
      readonly type: 'call_start'
      readonly callId: string
      readonly call: ToolCall
      readonly time: number
      /** The call whose tool made this one. */
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

export interface RuntimeCheckpoints extends CheckpointLimits {
  /**
   * One checkpoint before every call that may write, after policy: its label is the tool and what it works on. Where nothing has changed
   * since the last one, that one serves. A call whose checkpoint fails does not run. On a directory the tree is scanned only
   * before calls that can write past the workspace. Default false; never in a read-only workspace.
   */
  readonly automatic?: boolean
}

export interface RuntimeHooks {
  /** After policy, before a call that may write runs; a rejection ends the call. */
  readonly checkpoint?: (call: ToolCall & { readonly id: string }) => void | Promise<void>
  /** Told of everything; what it throws is ignored. */
  readonly onEvent?: (event: RuntimeEvent) => void
}
