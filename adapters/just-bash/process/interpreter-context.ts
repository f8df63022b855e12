import type { ScriptCall } from '../hooks.js'
import type { Bash, CommandNode, CommandResult, Context } from '../library-types.js'
import type { Frame } from './frames.js'
import type { Process } from './process.js'

/** Rewords the failure of a program. */
export type Mend = (result: CommandResult) => CommandResult

export interface Passing {
  readonly mend: Mend
  /** Variables that the script does not export. */
  readonly hidden: readonly string[]
}

/** The execution context of an interpreter. Each subshell has its own. */
export interface Place {
  readonly process: Process
  /** The frame that captures the output of this shell. If undefined, the output goes to the streams of the call. */
  frame: Frame | undefined
  /** Trap commands by the name of the signal or event, such as `EXIT`. '' ignores the signal. */
  traps: Map<string, string>
  /** Traps of the main shell of the script or job. A subshell has other `traps`. */
  readonly ownTraps: Map<string, string>
  /** The command that BASH_COMMAND shows. */
  command?: CommandNode
  /** Whether a trap is running. Its commands do not change BASH_COMMAND and do not trigger DEBUG traps. */
  trapping?: boolean
  /** Whether redirections make the input a file, or undefined if the shell reads the input of the call. */
  readsFile?: boolean | undefined
  /** For `set -x`: number of enclosing substitutions, `eval`s and files. */
  traceDepth?: number
  /** Whether the next command is internal, so that `set -x` does not show it. */
  untraced?: boolean
  /** The value of `BASHPID` in this shell. */
  pid: number
  /** PID of the shell that contains this substitution or part of a pipe. `jobs` lists the jobs of that shell too. */
  jobsOf?: number | undefined
  /** Value of LINENO while an ERR or DEBUG trap runs: the line of the command that triggered the trap. */
  trapLine?: number | undefined
  /** Number of process substitutions that end only with the script. */
  keptProcesses?: number
  /** State of RANDOM after an assignment. If undefined, the numbers come from the host. */
  random?: { seed: number; last: number } | undefined
  /** Time at which SECONDS was 0, in epoch milliseconds. */
  startMs: number
  /** Number of enclosing subshells, the value of `BASH_SUBSHELL`. */
  level: number
  /** Functions exported with `export -f`. */
  readonly exported: Set<string>
  /** Set while a program streams the output of the scripts that it runs. */
  passing?: Passing | undefined
  /** Rewords failures of the program that this script runs, if the output of the script is streamed. */
  readonly mend?: Mend | undefined
  /** Routes the output of a simple command's program to where `exec` redirected it; undefined without such a redirection. */
  route?: ((run: () => Promise<CommandResult>) => Promise<CommandResult>) | undefined
  /** Path of the script file that a `bash` call is running. */
  script?: string | undefined
  readonly bash: Bash
  readonly depth: number
  readonly Exit: ScriptCall['Exit']
}

declare module '../library-types.js' {
  interface Context {
    /** Added by this adapter; the library's types do not declare it. */
    place: Place
  }
}

/** Runs `run` one level deeper: `set -x` prints one more `+`. */
export async function deeper<T>({ place }: Context, run: () => Promise<T>): Promise<T> {
  const { traceDepth = 0 } = place
  place.traceDepth = traceDepth + 1
  try {
    return await run()
  } finally {
    place.traceDepth = traceDepth
  }
}

/** Runs `run` with `readsFile` set in the context. */
export async function reading<T>({ place }: Context, readsFile: boolean, run: () => Promise<T>): Promise<T> {
  const before = place.readsFile
  place.readsFile = readsFile
  try {
    return await run()
  } finally {
    place.readsFile = before
  }
}
