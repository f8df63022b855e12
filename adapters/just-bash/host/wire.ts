import type {
  ShellCommandContext,
  ShellCommandInput,
  ShellCommandResult,
  ShellExecOptions,
  ShellProcess,
  ShellResult,
  ShellSpawnOptions,
} from '../../../src/types/shell.js'
import type { LocatedJq } from '../commands/jq/module.js'
import type { JustBashLimits } from '../limits.js'

/** Options for an engine in a worker. */
export interface Opening {
  readonly limits: JustBashLimits
  readonly allow: readonly string[] | undefined
  /** Commands that run on the other side. */
  readonly commands: readonly { readonly name: string; readonly about: string | undefined }[]
  readonly jq: LocatedJq | undefined
  /** Base of relative paths. */
  readonly cwd: string
}

interface SentCall {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Whether `/usr/bin` or `/bin` may contain files. */
  readonly extended: boolean
  /** The host's time. */
  readonly now: number
}

export interface SentExec extends SentCall {
  /** Counted from `now`; undefined without a timeout. The other side enforces it and passes it to its commands. */
  readonly timeoutMs: number | undefined
  readonly options: Pick<ShellExecOptions, 'stdin' | 'state'>
}

export interface SentSpawn extends SentCall {
  readonly options: Pick<ShellSpawnOptions, 'terminal' | 'state'>
}

/** The result without output, which was sent before. */
export interface SentResult extends Omit<ShellResult, 'stdout' | 'stderr' | 'truncated'> {
  /** Whether the command was stopped but may still run. */
  readonly late: boolean
}

export interface SentProcess extends Pick<ShellProcess, 'transport' | 'pid'> {
  readonly can: { readonly closeInput: boolean; readonly resize: boolean }
}

export interface SentCommand extends Pick<ShellCommandContext, 'cwd' | 'env'> {
  readonly args: readonly string[]
  /** Id for requests about its input and output. */
  readonly id: number
  /** Kind of its input. */
  readonly kind: ShellCommandInput['kind']
  readonly timeLeftMs: number | undefined
}

/** `input`: the command tried to read its input, which was not sent. */
export type SentCommandResult = ShellCommandResult | 'input'
