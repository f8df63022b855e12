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

/** What an engine in a worker is made of. */
export interface Opening {
  readonly limits: JustBashLimits
  readonly allow: readonly string[] | undefined
  /** Commands that run on the other side. */
  readonly commands: readonly { readonly name: string; readonly about: string | undefined }[]
  readonly jq: LocatedJq | undefined
  /** What relative paths begin at. */
  readonly cwd: string
}

interface SentCall {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Something may lie in `/usr/bin` or `/bin`. */
  readonly extended: boolean
  /** The host's time. */
  readonly now: number
}

export interface SentExec extends SentCall {
  /** From `now` on; undefined: it has no end. The other side keeps to it; commands that run there are told. */
  readonly timeoutMs: number | undefined
  readonly options: Pick<ShellExecOptions, 'stdin' | 'state'>
}

export interface SentSpawn extends SentCall {
  readonly options: Pick<ShellSpawnOptions, 'terminal' | 'state'>
}

/** Its output was told before. */
export interface SentResult extends Omit<ShellResult, 'stdout' | 'stderr' | 'truncated'> {
  /** It was stopped, and may run on all the same. */
  readonly late: boolean
}

export interface SentProcess extends Pick<ShellProcess, 'transport' | 'pid'> {
  readonly can: { readonly closeInput: boolean; readonly resize: boolean }
}

export interface SentCommand extends Pick<ShellCommandContext, 'cwd' | 'env'> {
  readonly args: readonly string[]
  /** What it prints and reads while it runs is asked for by this number. */
  readonly id: number
  /** Of its input. */
  readonly kind: ShellCommandInput['kind']
  readonly timeLeftMs: number | undefined
}

/** `input`: it looked at its input, which it was not given. */
export type SentCommandResult = ShellCommandResult | 'input'
