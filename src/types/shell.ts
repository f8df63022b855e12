import type { Workspace } from './workspace.js'

export interface ShellOutput {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

export interface ShellExecOptions {
  /** Virtual path, or one of the shell's own that an earlier result gave (`/tmp`); default the workspace's cwd. */
  readonly cwd?: string
  /** Merged over the adapter's base environment. */
  readonly env?: Readonly<Record<string, string>>
  /** From the start to the stop; default none. The result comes within 250 ms of it. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Given whole, then closed; default empty and closed. */
  readonly stdin?: string
  /** Told of output as it comes, in order within a stream. What it throws is ignored. */
  readonly onOutput?: (output: ShellOutput) => void
  /** Kept per stream, head and tail; the rest is drained and counted. Default 256 KiB. */
  readonly maxBytes?: number
  /** What an earlier command left behind, to begin with; `env` goes over it. Default: nothing. */
  readonly state?: ShellState
}

/**
 * What a shell keeps beside its directory and its exported variables: plain variables, arrays, functions, options, aliases. Plain data
 * (`structuredClone` copies it) of the adapter that gave it, for that adapter only.
 */
export type ShellState = { readonly [part: string]: unknown }

export interface ShellResult {
  /** null when a timeout or an abort ended it. A command that a signal ended has 128 + its number, as shells say it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
  readonly aborted: boolean
  /** Whether any of the two streams was cut. */
  readonly truncated: boolean
  /** Where the shell was at its end: a virtual path, or one of the shell's own. As it began, where the end is not known. */
  readonly cwd: string
  /** The exported variables at its end; what it began with, where the end is not known. */
  readonly env: Readonly<Record<string, string>>
  /** For `state` of the next command; undefined: the adapter keeps none, or the end is not known. */
  readonly state?: ShellState
}

/** Columns and rows of a terminal, in characters. */
export interface TerminalSize {
  readonly cols: number
  readonly rows: number
}

export type ShellSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL'

/** How a process ended: `exitCode` null where that is not known; 128 + its number, and its name, where a signal ended it. */
export interface ShellExit {
  readonly exitCode: number | null
  readonly signal?: string
}

/** A command that runs beside the calls, until it ends or is killed. */
export interface ShellProcess {
  /** `pty`: it has a terminal, and one stream, `stdout`. `pipe`: it has none, also where one was asked for. */
  readonly transport: 'pty' | 'pipe'
  /** Where there is one. */
  readonly pid?: number
  /** Resolves when the input was taken over. @throws {ShellError} not_running; input_full where too much waits that was not read */
  write(text: string): Promise<void>
  /** Nothing more comes: readers get the end of file. Missing where a terminal has to be told so (Ctrl+D). */
  closeInput?(): Promise<void>
  /** Missing where there is no terminal. */
  resize?(size: TerminalSize): Promise<void>
  /** To all of its processes. Resolves when it was sent, not when it worked; nothing happens when the process has ended. */
  kill(signal: ShellSignal): Promise<void>
  /** Resolves after the last output was told. Never rejects. */
  readonly exited: Promise<ShellExit>
}

export interface ShellSpawnOptions {
  /** As for `exec`. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Run it on a terminal of this size. An adapter without terminals runs it on pipes: see `transport`. */
  readonly terminal?: TerminalSize
  /** Kills it, all of its processes, however late. */
  readonly signal?: AbortSignal
  /** Told of output as it comes, in order within a stream. What it throws is ignored. */
  readonly onOutput?: (output: ShellOutput) => void
  readonly state?: ShellState
}

/** Runs commands over the workspace's tree. Output is text, decoded with a streaming UTF-8 decoder. */
export interface ShellAdapter {
  readonly name: string
  readonly can: {
    /** Terminals for `spawn`; known once it is open. */
    readonly pty: boolean
    readonly separateStderr: boolean
    /** A command that ignores its signals is ended all the same. */
    readonly hardKill: boolean
    readonly dialect: string
    /** Commands reach files through the workspace only. Default false: whatever they can reach on the machine. */
    readonly isolated?: boolean
  }
  open?(): Promise<void>
  exec(command: string, options?: ShellExecOptions): Promise<ShellResult>
  /**
   * Starts a command that reads what is written to it. Resolves once it runs.
   * @throws {ShellError} unavailable, spawn_failed; FsError for a `cwd` that is none
   */
  spawn?(command: string, options?: ShellSpawnOptions): Promise<ShellProcess>
  close?(): Promise<void>
}

/** What a command of `ShellCommand` is given. */
export interface ShellCommandContext {
  /** Virtual path. */
  readonly cwd: string
  /** The exported variables. */
  readonly env: Readonly<Record<string, string>>
  /**
   * All of it. A shell whose commands run elsewhere (a virtual one in a worker) takes it from the script only when it is looked at, and begins
   * the command again with it: look at it, also by copying the context, before anything is printed or changed.
   */
  readonly stdin: Uint8Array
  /** Aborts when the command is to end; its reason is the name of the signal (`SIGTERM`), where it was one. */
  readonly signal: AbortSignal
  /** The same tree that the other commands see, private directories of the shell included; paths are absolute. */
  readonly fs: ShellCommandFs
  /**
   * Prints now; what the command returns comes behind it. Resolves when it has been taken over, and rejects where it is more than the script
   * may print. Missing where a shell keeps all output until the end.
   */
  readonly print?: (output: Pick<ShellCommandResult, 'stdout' | 'stderr'>) => Promise<void>
  /** What was left of the time of the call when the command began; undefined: it has no end, or none that is known. */
  readonly timeLeftMs?: number
  /** The input in pieces, for commands that do not look at `stdin`. Missing where a shell has none but that. */
  readonly input?: ShellCommandInput
}

/** The input of a command, as it comes. */
export interface ShellCommandInput {
  /**
   * `own`: all of a pipe, or of a redirection of the command itself, which may be empty. `shared`: what the commands of the script read one
   * after the other, all of it. `live`: the same, and it is still being written. `none`: there is nothing to read.
   */
  readonly kind: 'none' | 'own' | 'shared' | 'live'
  /** The next of it, which nobody else gets; undefined at its end, and when the command is to end. */
  next(): Promise<Uint8Array | undefined>
}

/** Files as a command sees them. Rejects with {FsError}. */
export interface ShellCommandFs {
  /** Absolute, for a path as the script has written it. */
  resolvePath(base: string, path: string): string
  readFileBuffer(path: string): Promise<Uint8Array>
  writeFile(path: string, content: string | Uint8Array): Promise<void>
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<{ readonly isFile: boolean; readonly isDirectory: boolean; readonly size: number; readonly mtime: Date }>
  readdir(path: string): Promise<string[]>
  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
}

export interface ShellCommandResult {
  readonly stdout?: string | Uint8Array
  readonly stderr?: string
  /** Default 0. */
  readonly exitCode?: number
}

/** A command that a virtual shell is given beside its own (`git(...)`). Whatever it throws is its failure, with status 1. */
export interface ShellCommand {
  readonly name: string
  /** One line, for `help` and for hints. */
  readonly about?: string
  run(args: readonly string[], context: ShellCommandContext): Promise<ShellCommandResult> | ShellCommandResult
}

/** A command, or what makes it for the workspace that the shell runs over. */
export type ShellCommandSource = ShellCommand | ((workspace: Workspace) => ShellCommand)
