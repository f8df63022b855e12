import type { Workspace } from './workspace.js'

/** A piece of output, decoded as UTF-8. */
export interface ShellOutput {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** Options of `ShellAdapter.exec`. */
export interface ShellExecOptions {
  /** A virtual path, or a path of the shell's own (`/tmp`) from an earlier result; default the workspace's cwd. */
  readonly cwd?: string
  /** Overrides variables of the adapter's base environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Timeout from the start, in milliseconds; default unlimited. The result arrives within 250 ms after the timeout. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** The complete input; default empty. The shell closes the input after this text. */
  readonly stdin?: string
  /** Receives output as it arrives, in order within a stream. The adapter ignores its exceptions. */
  readonly onOutput?: (output: ShellOutput) => void
  /** Maximum bytes to keep per stream, from its beginning and its end. The adapter counts and drops the rest. Default 256 KiB. */
  readonly maxBytes?: number
  /** The state that an earlier command returned, to start from; `env` overrides its variables. Default none. */
  readonly state?: ShellState
}

/**
 * The state of a shell besides its working directory and its exported variables: plain variables, arrays, functions, options and aliases.
 * Plain data (`structuredClone` copies it), valid only for the adapter that returned it.
 */
export type ShellState = { readonly [part: string]: unknown }

/** The result of a command. */
export interface ShellResult {
  /** null after a timeout or an abort. 128 + the signal's number if a signal ended the command, as in POSIX shells. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
  readonly aborted: boolean
  /** Whether either stream was truncated. */
  readonly truncated: boolean
  /** The working directory at the end: a virtual path, or a path of the shell's own. The initial directory if the end is unknown. */
  readonly cwd: string
  /** The exported variables at the end; the initial ones if the end is unknown. */
  readonly env: Readonly<Record<string, string>>
  /** Pass it as `state` to the next command. Absent if the adapter keeps no state, or if the end is unknown. */
  readonly state?: ShellState
}

/** Columns and rows of a terminal, in characters. */
export interface TerminalSize {
  readonly cols: number
  readonly rows: number
}

/** The signals that a process accepts. */
export type ShellSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL'

/** How a process ended. `exitCode` is null if unknown. After a signal it is 128 + the signal's number, and `signal` is its name. */
export interface ShellExit {
  readonly exitCode: number | null
  readonly signal?: string
}

/** A background command, which runs until it ends or is killed. */
export interface ShellProcess {
  /** `pty`: the process has a terminal and one stream, `stdout`. `pipe`: it has no terminal, even if the caller requested one. */
  readonly transport: 'pty' | 'pipe'
  /** Process id, if the shell has one. */
  readonly pid?: number
  /** Resolves when the process has accepted the input. @throws {ShellError} not_running; input_full if too much input is unread */
  write(text: string): Promise<void>
  /** Ends the input: readers get the end of file. Absent if the process needs Ctrl+D on its terminal instead. */
  closeInput?(): Promise<void>
  /** Changes the size of the terminal. Absent without a terminal. */
  resize?(size: TerminalSize): Promise<void>
  /**
   * Signals all processes of the command. Resolves when the signal is sent, before it takes effect. Does nothing after the process has
   * ended.
   */
  kill(signal: ShellSignal): Promise<void>
  /** Resolves after the last output event. Never rejects. */
  readonly exited: Promise<ShellExit>
}

/** Options of `ShellAdapter.spawn`. */
export interface ShellSpawnOptions {
  /** As for `exec`. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Run the command on a terminal of this size. An adapter without terminals uses pipes: see `transport`. */
  readonly terminal?: TerminalSize
  /** Kills all processes of the command on abort, at any time. */
  readonly signal?: AbortSignal
  /** Receives output as it arrives, in order within a stream. The adapter ignores its exceptions. */
  readonly onOutput?: (output: ShellOutput) => void
  readonly state?: ShellState
}

/** The shell port: runs commands on the workspace's tree. The adapter decodes output as a UTF-8 stream. */
export interface ShellAdapter {
  readonly name: string
  readonly can: {
    /** `spawn` supports terminals; known after `open`. */
    readonly pty: boolean
    readonly separateStderr: boolean
    /** The adapter can end a command that ignores its signals. */
    readonly hardKill: boolean
    readonly dialect: string
    /** Commands reach files only through the workspace. Default false: they reach every file that the machine allows. */
    readonly isolated?: boolean
  }
  open?(): Promise<void>
  exec(command: string, options?: ShellExecOptions): Promise<ShellResult>
  /**
   * Starts an interactive command. Resolves when the command runs. @throws {ShellError} unavailable, spawn_failed; {FsError} for an invalid
   * `cwd`
   */
  spawn?(command: string, options?: ShellSpawnOptions): Promise<ShellProcess>
  close?(): Promise<void>
}

/** The context that `ShellCommand.run` receives. */
export interface ShellCommandContext {
  /** Virtual path. */
  readonly cwd: string
  /** The exported variables. */
  readonly env: Readonly<Record<string, string>>
  /**
   * The complete input. If the shell runs in a worker, the first access fetches the input and restarts the command. So access `stdin`, or
   * copy the context, before you print or change anything.
   */
  readonly stdin: Uint8Array
  /** Aborts when the command must end. The reason is the name of the signal (`SIGTERM`), if a signal caused it. */
  readonly signal: AbortSignal
  /** The tree that other commands see, including the shell's private directories. Paths are absolute. */
  readonly fs: ShellCommandFs
  /**
   * Prints at once, before the returned output. Resolves when the shell has accepted the output, and rejects if the script's output limit
   * is reached. Absent if the shell keeps all output until the end.
   */
  readonly print?: (output: Pick<ShellCommandResult, 'stdout' | 'stderr'>) => Promise<void>
  /** Remaining time of the call when the command started, in milliseconds; undefined if unlimited or unknown. */
  readonly timeLeftMs?: number
  /** The input in pieces, for commands that do not access `stdin`. Absent if the shell supports only `stdin`. */
  readonly input?: ShellCommandInput
}

/** The input of a command as a stream. */
export interface ShellCommandInput {
  /**
   * `own`: a pipe, or a redirection of the command itself; may be empty. `shared`: the complete input of the script, which its commands
   * read one after another. `live`: like `shared`, but still being written. `none`: no input.
   */
  readonly kind: 'none' | 'own' | 'shared' | 'live'
  /** Takes the next piece. No other command receives this piece. Undefined at the end of the input, and when the command must end. */
  next(): Promise<Uint8Array | undefined>
}

/** The files that a command sees. Methods reject with {FsError}. */
export interface ShellCommandFs {
  /** Converts a path from the script to an absolute path. */
  resolvePath(base: string, path: string): string
  readFileBuffer(path: string): Promise<Uint8Array>
  writeFile(path: string, content: string | Uint8Array): Promise<void>
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<{ readonly isFile: boolean; readonly isDirectory: boolean; readonly size: number; readonly mtime: Date }>
  readdir(path: string): Promise<string[]>
  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
}

/** The result of a custom shell command. */
export interface ShellCommandResult {
  readonly stdout?: string | Uint8Array
  readonly stderr?: string
  /** Default 0. */
  readonly exitCode?: number
}

/** A custom command for a virtual shell (`git(...)`). If `run` throws, the command fails with status 1. */
export interface ShellCommand {
  readonly name: string
  /** One line for `help` and hints. */
  readonly about?: string
  run(args: readonly string[], context: ShellCommandContext): Promise<ShellCommandResult> | ShellCommandResult
}

/** A command, or a function that makes one for the shell's workspace. */
export type ShellCommandSource = ShellCommand | ((workspace: Workspace) => ShellCommand)
