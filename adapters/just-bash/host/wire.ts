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
  /** Directory that relative paths are resolved against. */
  readonly cwd: string
}

interface SentCall {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Whether `/usr/bin` or `/bin` may already contain files of scripts. */
  readonly extended: boolean
  /** The host's time in epoch milliseconds. */
  readonly now: number
}

export interface SentExec extends SentCall {
  /** Milliseconds from `now`; undefined without a timeout. The sender enforces the timeout. The worker only passes it to its commands. */
  readonly timeoutMs: number | undefined
  readonly options: Pick<ShellExecOptions, 'stdin' | 'state'>
}

export interface SentSpawn extends SentCall {
  readonly options: Pick<ShellSpawnOptions, 'terminal' | 'state'>
}

/** The result without the output, which is sent separately. */
export interface SentResult extends Omit<ShellResult, 'stdout' | 'stderr' | 'truncated'> {
  /** Whether the command was stopped but may still run. */
  readonly late: boolean
}

export interface SentProcess extends Pick<ShellProcess, 'transport' | 'pid'> {
  readonly can: { readonly closeInput: boolean; readonly resize: boolean }
}

export interface SentCommand extends Pick<ShellCommandContext, 'cwd' | 'env'> {
  readonly args: readonly string[]
  /** Identifies the running command in requests about its input and output. */
  readonly id: number
  /** Kind of the command's input. */
  readonly kind: ShellCommandInput['kind']
  readonly timeLeftMs: number | undefined
}

/** `input`: the command tried to read its input, but the call was sent without the input. */
export type SentCommandResult = ShellCommandResult | 'input'
