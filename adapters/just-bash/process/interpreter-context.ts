import type { ScriptCall } from '../hooks.js'
import type { Bash, CommandNode, CommandResult, Context } from '../library-types.js'
import type { Frame } from './frames.js'
import type { Process } from './process.js'

/** Words the failure of a program otherwise. */
export type Mend = (result: CommandResult) => CommandResult

export interface Passing {
  readonly mend: Mend
  /** Variables that the script does not export. */
  readonly hidden: readonly string[]
}

/** Where an interpreter stands. A subshell has one of its own. */
export interface Place {
  readonly process: Process
  /** What takes its output; undefined: the streams of the call. */
  frame: Frame | undefined
  /** Commands by name of the signal, `EXIT` and `ERR` included; '' ignores it. */
  traps: Map<string, string>
  /** Those of the shell, where this is a subshell of it. */
  readonly ownTraps: Map<string, string>
  /** What BASH_COMMAND shows. */
  command?: CommandNode
  /** A trap runs: its commands change no BASH_COMMAND, and no DEBUG trap runs before them. */
  trapping?: boolean
  /** The input is a file, as far as redirections tell; undefined: that of the call. */
  readsFile?: boolean | undefined
  /** `set -x`: how many substitutions, `eval`s and files are around. */
  traceDepth?: number
  /** The next command is the shell's own, and `set -x` does not show it. */
  untraced?: boolean
  /** `BASHPID` of the shell. */
  pid: number
  /** That of the shell around a substitution or a pipe, whose jobs are listed in it too. */
  jobsOf?: number | undefined
  /** The line of the command that an ERR or DEBUG trap is about. */
  trapLine?: number | undefined
  /** Process substitutions that end with the script. */
  keptProcesses?: number
  /** Where RANDOM stands since a value was assigned to it; undefined: its numbers are the host's. */
  random?: { seed: number; last: number } | undefined
  /** When SECONDS was 0, in epoch milliseconds. */
  startMs: number
  /** How many subshells are around: `BASH_SUBSHELL`. */
  level: number
  /** Functions that `export -f` has named. */
  readonly exported: Set<string>
  /** The program that runs passes on what its scripts print, as it comes. */
  passing?: Passing | undefined
  /** Of the program that such a script runs. */
  readonly mend?: Mend | undefined
  /** Sends the output of the program that the simple command runs where `exec` has sent it; undefined: nowhere else. */
  route?: ((run: () => Promise<CommandResult>) => Promise<CommandResult>) | undefined
  /** The file whose script the program that runs in it reads: of a call of `bash`. */
  script?: string | undefined
  readonly bash: Bash
  readonly depth: number
  readonly Exit: ScriptCall['Exit']
}

declare module '../library-types.js' {
  interface Context {
    /** Ours, and put there by us. Declared here, for the types of the library know nothing of processes. */
    place: Place
  }
}

/** With one more `+` in front of what `set -x` shows. */
export async function deeper<T>({ place }: Context, run: () => Promise<T>): Promise<T> {
  const { traceDepth = 0 } = place
  place.traceDepth = traceDepth + 1
  try {
    return await run()
  } finally {
    place.traceDepth = traceDepth
  }
}

/** Runs something whose input is a file, or is none. */
export async function reading<T>({ place }: Context, readsFile: boolean, run: () => Promise<T>): Promise<T> {
  const before = place.readsFile
  place.readsFile = readsFile
  try {
    return await run()
  } finally {
    place.readsFile = before
  }
}
