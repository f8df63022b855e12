import type { RuntimePolicy } from '../../types/runtime.js'
import type { Access, WorkspacePolicy } from '../../types/workspace.js'

/** `readonly`: nothing is run or written. `supervised`: medium and high risk wait for an approval. `full`: nothing waits for its risk. */
export type Autonomy = 'readonly' | 'supervised' | 'full'

export type Risk = 'low' | 'medium' | 'high'

/** A directory outside the workspace that may be used all the same. */
export interface AllowedRoot {
  /** Absolute path. */
  readonly path: string
  /** Default `read-write`. */
  readonly access?: 'read-write' | 'read-only' | 'write-only'
}

/** What `createSecurityPolicy` takes. Everything has a default. */
export interface SecurityPolicyOptions {
  /** Default `supervised`. */
  readonly autonomy?: Autonomy
  /** Absolute path that commands know the workspace by: the virtual root, or the directory on the machine. Default `/workspace`. */
  readonly workspaceRoot?: string
  /** Absolute paths outside the workspace and the allowed roots are refused. Default true. */
  readonly workspaceOnly?: boolean
  /**
   * Names (fit any case, as they are or in a directory of the system such as `/usr/bin`), paths (fit exactly), or `*` (every name).
   * Default `DEFAULT_ALLOWED_COMMANDS`.
   */
  readonly allowedCommands?: readonly string[]
  /**
   * Absolute, relative to the workspace, or `~/...`; each covers what is below it. One that contains the workspace or an allowed root
   * does not forbid these. Default `DEFAULT_FORBIDDEN_PATHS`.
   */
  readonly forbiddenPaths?: readonly string[]
  /** Default none. */
  readonly allowedRoots?: readonly (string | AllowedRoot)[]
  /** Actions of one sender in any 60 minutes; default 20. 0 allows none, null any number. */
  readonly maxActionsPerHour?: number | null
  /** In cents, default 500. Kept as data for the host: nothing here knows what a call costs, so nothing is refused for it. */
  readonly maxCostPerDayCents?: number
  /** In `supervised`; default true. */
  readonly requireApprovalForMediumRisk?: boolean
  /** Unless the command is listed by its name; default true. */
  readonly blockHighRiskCommands?: boolean
  /** Exact names; default null: every tool. An empty list allows none. */
  readonly allowedTools?: readonly string[] | null
  /** Exact names; goes before everything. Default none. */
  readonly excludedTools?: readonly string[]
  /**
   * Tools that run unasked in `supervised`: then every other one is asked about. Default null: no tool is asked about for its
   * name, but those that no command rule sees: `write_background_bash`, and `run_js`, `run_js_module`, `start_background_js`,
   * `write_background_js`, `install_js_packages`, `create_persistent_tool`. They are asked about at any level (programs are denied in `readonly`), unless they are
   * named here or in `allowedTools`.
   */
  readonly autoApprove?: readonly string[] | null
  /** Tools that are always asked about, or `*`; goes before `autoApprove`. Default none. */
  readonly alwaysAsk?: readonly string[]
  /** For the tool that runs commands; default 60. */
  readonly shellTimeoutSecs?: number
  /** Milliseconds since the epoch, for the rate limit. Without it, `reserve` has to be told the time. */
  readonly now?: () => number
}

export interface CommandCheck {
  /** It may run now. */
  readonly allowed: boolean
  /** It may run once it is approved: `allowed` is false, and `approved: true` would make it true. */
  readonly needsApproval: boolean
  readonly risk: Risk
  /** Why it may not run (now), and what to do instead, for the model. Always there when `allowed` is false. */
  readonly reason?: string
}

export interface CheckCommandOptions {
  /** Somebody has approved this very command. Default false. */
  readonly approved?: boolean
  /** Absolute path of where it will run; default the workspace's root. */
  readonly cwd?: string
  /** Variables over the shell's own. Names that decide what runs (`PATH`, `BASH_ENV`, ...) are refused, unless the value is harmless. */
  readonly env?: Readonly<Record<string, string>>
}

export interface PathCheck {
  readonly allowed: boolean
  /** Always there when `allowed` is false. */
  readonly reason?: string
}

export interface ToolCheck {
  readonly action: 'allow' | 'deny' | 'ask'
  /** There for `deny` and `ask`. */
  readonly reason?: string
}

/** One action taken out of the hour. It counts until it is cancelled, so that calls at the same time cannot overbook. */
export interface Reservation {
  readonly granted: true
  /** It was done: it counts for an hour. */
  commit(): void
  /** It was not done: it does not count. Nothing happens after `commit`. */
  cancel(): void
}

export interface RateRefusal {
  readonly granted: false
  /** Begins `Rate limit exceeded: `. */
  readonly reason: string
  /** Milliseconds until the next action may be free; Infinity when none ever is. */
  readonly retryAfterMs: number
}

export interface ToRuntimePolicyOptions {
  /** Overrides the option of the policy: the root of the runtime's workspace. */
  readonly workspaceRoot?: string
  /**
   * Whether the runtime counts every call against `maxActionsPerHour`; default true. False where the tools reserve and commit themselves,
   * or an action would be counted twice.
   */
  readonly rate?: boolean
  /** Variables that the host has given the shell itself: these values pass, whatever their names. Default none. */
  readonly trustedEnv?: Readonly<Record<string, string>>
  /**
   * The JavaScript adapter is isolated (its `can.isolated`): a program reaches the workspace and what it is granted, as the other tools do,
   * and is not asked about for being one. Default false.
   */
  readonly isolatedJs?: boolean
}

/** The options with every default filled in. */
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
 * What an agent may run, touch and how often. It reads text only: it knows no filesystem, so what a link leads to, and what an allowed
 * program does by itself (a build script, a test), is for the workspace and the shell to contain.
 */
export interface SecurityPolicy {
  readonly settings: SecuritySettings
  /** Whether it may run, given an approval where one is needed: `checkCommand(command, {approved: true}).allowed`. */
  isCommandAllowed(command: string): boolean
  checkCommand(command: string, options?: CheckCommandOptions): CommandCheck
  /** The highest risk of its parts; high for what cannot be understood. */
  commandRisk(command: string): Risk
  /** By the text of the path alone; relative ones start at the workspace's root. */
  checkPath(path: string, access: Access): PathCheck
  checkTool(name: string): ToolCheck
  /**
   * Takes one action out of the sender's hour. `now` in milliseconds, default the policy's clock.
   * @throws TypeError when there is neither
   */
  reserve(sender?: string, now?: number): Reservation | RateRefusal
  /** The same rules for `createRuntime({policy})`, with any preset. Add `approve` for what has to be asked. */
  toRuntimePolicy(options?: ToRuntimePolicyOptions): RuntimePolicy & WorkspacePolicy
}
