import type { RuntimePolicy } from '../../types/runtime.js'
import type { Access, WorkspacePolicy } from '../../types/workspace.js'

/**
 * What an agent may do. `readonly`: no commands and no writes. `supervised`: commands of medium and high risk need approval. `full`: no
 * command needs approval because of its risk.
 */
export type Autonomy = 'readonly' | 'supervised' | 'full'

/** The risk of a command. A command with unknown syntax is `high`. */
export type Risk = 'low' | 'medium' | 'high'

/** A directory outside the workspace that commands may use. */
export interface AllowedRoot {
  /** Absolute path. */
  readonly path: string
  /** Default `read-write`. */
  readonly access?: 'read-write' | 'read-only' | 'write-only'
}

/** Options of `createSecurityPolicy`. Every option has a default. */
export interface SecurityPolicyOptions {
  /** Default `supervised`. */
  readonly autonomy?: Autonomy
  /** Absolute path of the workspace for commands: the virtual root, or the directory on the machine. Default `/workspace`. */
  readonly workspaceRoot?: string
  /** Rejects absolute paths outside the workspace and the allowed roots. Default true. */
  readonly workspaceOnly?: boolean
  /**
   * Commands that may run. A bare name matches in any case, also below a system directory such as `/usr/bin`. A path matches exactly. `*`
   * matches every name. Default `DEFAULT_ALLOWED_COMMANDS`.
   */
  readonly allowedCommands?: readonly string[]
  /**
   * Paths that commands and tools may not use: absolute, relative to the workspace, or `~/...`, each with everything below. A path that
   * contains the workspace or an allowed root does not forbid the content of either. Default `DEFAULT_FORBIDDEN_PATHS`.
   */
  readonly forbiddenPaths?: readonly string[]
  /** Directories outside the workspace that commands may use. Default: none. */
  readonly allowedRoots?: readonly (string | AllowedRoot)[]
  /** Maximum actions of one sender in any 60 minutes; default 20. 0 allows none; null is unlimited. */
  readonly maxActionsPerHour?: number | null
  /** Budget per day in cents; default 500. For the host only: Toolport does not know the cost of a call and does not enforce the budget. */
  readonly maxCostPerDayCents?: number
  /** Whether commands of medium risk need approval in `supervised`. Default true. */
  readonly requireApprovalForMediumRisk?: boolean
  /** Rejects commands of high risk, unless `allowedCommands` lists their names; default true. */
  readonly blockHighRiskCommands?: boolean
  /** Exact names of the tools that may run; default null: all tools. An empty list allows none. */
  readonly allowedTools?: readonly string[] | null
  /** Exact names of tools that may not run. Takes precedence over every other option. Default: none. */
  readonly excludedTools?: readonly string[]
  /**
   * Tools that run without approval in `supervised`; all other tools then need approval. Default null: only tools that bypass the command
   * rules need approval, namely `write_background_bash`, and `run_js`, `run_js_module`, `start_background_js`, `write_background_js`,
   * `install_js_packages`, `create_persistent_tool`. These need approval at every level (in `readonly`, programs are denied), unless this
   * option or `allowedTools` lists them.
   */
  readonly autoApprove?: readonly string[] | null
  /** Tools that always need approval, or `*`; takes precedence over `autoApprove`. Default none. */
  readonly alwaysAsk?: readonly string[]
  /** Timeout of one command of the shell tool, in seconds; default 60. */
  readonly shellTimeoutSecs?: number
  /** Clock for the rate limit, in milliseconds since the epoch. Without it, pass the time to `reserve`. */
  readonly now?: () => number
}

/** The decision about a command. */
export interface CommandCheck {
  /** Whether the command may run now. */
  readonly allowed: boolean
  /** Whether approval would help: `allowed` is false now, and true with the option `approved`. */
  readonly needsApproval: boolean
  readonly risk: Risk
  /** Why the command may not run, and an alternative, for the model. Present whenever `allowed` is false. */
  readonly reason?: string
}

/** Options of `SecurityPolicy.checkCommand`. */
export interface CheckCommandOptions {
  /** Whether somebody has approved exactly this command. Default false. */
  readonly approved?: boolean
  /** Absolute path of the working directory; default the workspace's root. */
  readonly cwd?: string
  /**
   * Variables that override the shell's own. The policy rejects names that decide what runs (`PATH`, `BASH_ENV`, ...), unless the value is
   * harmless.
   */
  readonly env?: Readonly<Record<string, string>>
}

/** The decision about a path. */
export interface PathCheck {
  readonly allowed: boolean
  /** Present whenever `allowed` is false. */
  readonly reason?: string
}

/** The decision about a tool. */
export interface ToolCheck {
  readonly action: 'allow' | 'deny' | 'ask'
  /** Present for `deny` and `ask`. */
  readonly reason?: string
}

/** One reserved action. It counts for an hour from its reservation unless it is cancelled, so parallel calls cannot exceed the limit. */
export interface Reservation {
  readonly granted: true
  /** The action happened, so a later `cancel` has no effect. */
  commit(): void
  /** The action did not happen and does not count. Has no effect after `commit`. */
  cancel(): void
}

/** The rate limit rejects the action. */
export interface RateRefusal {
  readonly granted: false
  /** Reason for the model. Begins with `Rate limit exceeded: `. */
  readonly reason: string
  /** Milliseconds until another action may be possible; Infinity if the limit is 0. */
  readonly retryAfterMs: number
}

/** Options of `SecurityPolicy.toRuntimePolicy`. */
export interface ToRuntimePolicyOptions {
  /** The root of the runtime's workspace; overrides the policy's option. */
  readonly workspaceRoot?: string
  /**
   * Whether the runtime counts every call against `maxActionsPerHour`; default true. Pass false if tools reserve and commit actions
   * themselves, so that no action counts twice.
   */
  readonly rate?: boolean
  /** Variables that the host sets in the shell: the policy accepts these values for any name. Default none. */
  readonly trustedEnv?: Readonly<Record<string, string>>
  /**
   * Whether the JavaScript adapter is isolated (`can.isolated`). If so, programs reach only the workspace and their grants, so running them
   * needs no approval. Default false.
   */
  readonly isolatedJs?: boolean
}

/** The options with all defaults. */
export interface SecuritySettings {
  readonly autonomy: Autonomy
  readonly workspaceRoot: string
  readonly workspaceOnly: boolean
  readonly allowedCommands: readonly string[]
  readonly forbiddenPaths: readonly string[]
  readonly allowedRoots: readonly Required<AllowedRoot>[]
  readonly maxActionsPerHour: number | null
  readonly maxCostPerDayCents: number
  readonly requireApprovalForMediumRisk: boolean
  readonly blockHighRiskCommands: boolean
  readonly allowedTools: readonly string[] | null
  readonly excludedTools: readonly string[]
  readonly autoApprove: readonly string[] | null
  readonly alwaysAsk: readonly string[]
  readonly shellTimeoutSecs: number
}

/**
 * Decides which commands, paths and tools an agent may use, and how often. It checks text only, without access to files. So the workspace
 * and the shell must contain link targets and the actions of allowed programs (a build script, a test).
 */
export interface SecurityPolicy {
  readonly settings: SecuritySettings
  /** Whether the command may run, with approval if needed: `checkCommand(command, {approved: true}).allowed`. */
  isCommandAllowed(command: string): boolean
  checkCommand(command: string, options?: CheckCommandOptions): CommandCheck
  /** The highest risk of the command's parts; `high` if the command cannot be parsed. */
  commandRisk(command: string): Risk
  /** Checks the text of the path. Relative paths start at the workspace's root. */
  checkPath(path: string, access: Access): PathCheck
  checkTool(name: string): ToolCheck
  /**
   * Counts one action of the sender against the hourly limit. `now` is in milliseconds since the epoch; the default is the policy's clock.
   * @throws TypeError without `now` and without a clock
   */
  reserve(sender?: string, now?: number): Reservation | RateRefusal
  /** Returns the same rules as a policy for `createRuntime({policy})`, with any preset. Add `approve` to answer approval requests. */
  toRuntimePolicy(options?: ToRuntimePolicyOptions): RuntimePolicy & WorkspacePolicy
}
